/** Passwords: how they are kept, compared and judged. Hashing is slow on purpose: never inside a transaction. */
import { randomBytes } from "node:crypto";
import { type Options, hash, verify } from "@node-rs/argon2";
import { isCommonPassword } from "./common-passwords.ts";
import { type PasswordIssue, passwordIssues } from "../../rules.ts";

/** argon2id (the package's default) with 19 MiB, two passes, one lane: the least that OWASP names. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes the stored form of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let decoy: Promise<string> | undefined;

/** Compares a password with its stored form. Without one it works as long and says no, so that time tells nothing. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(24).toString("base64"));
  const matches = await verify(stored ?? (await decoy), password);
  return matches && typeof stored === "string";
}

/** Every fault of a new password; empty when it may be used. */
export function checkPassword(password: string, own: readonly string[] = []): PasswordIssue[] {
  const faults = passwordIssues(password, own);
  return isCommonPassword(password) ? [...faults, "pwned"] : faults;
}
