/** Compares and checks passwords. Comparing is slow by design: never call it inside a transaction. */

import { randomBytes } from "node:crypto";
import type { AuthTiming } from "#platform/security/auth-timing.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { type PasswordIssue, passwordIssues } from "../../rules.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { findGuessable } from "./password-strength.ts";

type Timed = Pick<PlatformServices, "authTiming">;

/** The hash of a random password, of the same cost as stored ones. It is compared if there is no stored one. */
const decoys = new WeakMap<AuthTiming, Promise<string>>();

function decoyFor({ authTiming }: Timed): Promise<string> {
  const known = decoys.get(authTiming) ?? authTiming.hashPassword(randomBytes(24).toString("base64"));
  decoys.set(authTiming, known);
  return known;
}

/** Compares a password with its stored hash. Without one it takes as long and returns false, to prevent account enumeration by timing. */
export async function passwordMatches(services: Timed, stored: string | null | undefined, password: string) {
  const matches = await services.authTiming.verifyPassword(stored ?? (await decoyFor(services)), password);
  return matches && typeof stored === "string";
}

const siteWords = ["stagedoor", "stage door", "artist", "promoter", "booking"];

/** Returns every issue of a new password, empty if it is valid. `own` has the user's name and address. */
export async function checkPassword(password: string, own: readonly string[] = []): Promise<PasswordIssue[]> {
  const issues = passwordIssues(password, own);
  if (issues.length > 0) return issues;
  const guessable = isCommonPassword(password) ? "common" : await findGuessable(password, [...siteWords, ...own]);
  return guessable ? [guessable] : [];
}
