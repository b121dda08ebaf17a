/** Passwords: how they are stored, compared and checked. Hashing is slow on purpose: never inside a transaction. */
import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { PlatformServices } from "#platform/services.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { type PasswordIssue, passwordIssues } from "../../rules.ts";

type Timed = Pick<PlatformServices, "authTiming">;

/** Makes the stored form of a password: argon2id, which is the package's default. */
export const hashPassword = ({ authTiming }: Timed, password: string): Promise<string> =>
  hash(password, authTiming.passwordCost);

/** The hash of a random password for each cost, compared with when there is no stored one. */
const decoys = new WeakMap<object, Promise<string>>();

function decoyFor(services: Timed): Promise<string> {
  const cost = services.authTiming.passwordCost;
  const known = decoys.get(cost) ?? hashPassword(services, randomBytes(24).toString("base64"));
  decoys.set(cost, known);
  return known;
}

/** Compares a password with its stored form. Without one it works as long and says no, so that time tells nothing. */
export async function passwordMatches(
  services: Timed,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(stored ?? (await decoyFor(services)), password);
  return matches && typeof stored === "string";
}

/** Every fault of a new password; empty when it may be used. */
export function checkPassword(password: string, own: readonly string[] = []): PasswordIssue[] {
  const faults = passwordIssues(password, own);
  return isCommonPassword(password) ? [...faults, "pwned"] : faults;
}
