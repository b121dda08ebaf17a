/** The offline list of common and leaked passwords, about 49,000 of them, kept by the zxcvbn-ts project. */
import { createRequire } from "node:module";
import type { dictionary } from "@zxcvbn-ts/language-common";

const load = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

/** The password is on the list, in capitals or not. The list is read when it is first asked for. */
export function isCommonPassword(password: string): boolean {
  known ??= readList();
  return known.has(password.toLowerCase());
}

function readList(): ReadonlySet<string> {
  const lists = load("@zxcvbn-ts/language-common") as { dictionary: typeof dictionary };
  return new Set(lists.dictionary["passwords-common"].map((one) => String(one).toLowerCase()));
}
