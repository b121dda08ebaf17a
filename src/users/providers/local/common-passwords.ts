/** The offline list of common and leaked passwords, about 49,000 of them, kept by the zxcvbn-ts project. */
import { dictionary } from "@zxcvbn-ts/language-common";

let known: ReadonlySet<string> | undefined;

/** The password stands on the list, in capitals or not. The list is read when it is first asked for. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(dictionary["passwords-common"].map((one) => String(one).toLowerCase()));
  return known.has(password.toLowerCase());
}
