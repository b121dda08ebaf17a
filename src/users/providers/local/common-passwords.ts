/** The offline list of about 49,000 common and leaked passwords, of the zxcvbn-ts project. */

import { createRequire } from "node:module";
import type { dictionary } from "@zxcvbn-ts/language-common";

const load = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

export function isCommonPassword(password: string): boolean {
  known ??= readList();
  return known.has(password.toLowerCase());
}

function readList(): ReadonlySet<string> {
  const lists = load("@zxcvbn-ts/language-common") as { dictionary: typeof dictionary };
  return new Set(lists.dictionary["passwords-common"].map((one) => String(one).toLowerCase()));
}
