/** Calls that move money and are repeated until their outcome is known: when the next attempt is due, and when to look before it. */
import { backoffSeconds } from "#platform/retry.ts";
import type { ProviderFailure } from "./gateway.ts";
import { lookUpAfterHours } from "./rules.ts";

const hourMs = 3_600_000;
/** The first wait is also how long a claim holds: longer than a look and a call may take together (a minute each). */
const backoff = { firstSeconds: 180, maxSeconds: 3_600 };

/** The time of a call's next attempt. */
export const nextTryAfter = (now: Date) => (attempts: number) =>
  new Date(now.getTime() + backoffSeconds(attempts, backoff) * 1000);

/** The key may be forgotten, or hold a stored failure: look at the provider before sending again. */
export const mustLook = (row: { look_up: boolean; asked_at: Date | null }, now: Date): boolean =>
  row.look_up || now.getTime() - (row.asked_at ?? now).getTime() > lookUpAfterHours * hourMs;

/**
 * The provider may have done what it did not confirm, and the row's id as the key would not find it: it failed while it worked, or it
 * did not answer a call that had a key of its own (`ownKey`).
 */
export const isUncertain = (error: ProviderFailure, ownKey: boolean): boolean =>
  error.kind === "server_error" || (error.kind === "no_answer" && ownKey);
