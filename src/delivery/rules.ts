import { z } from "zod";
import { emailPattern, maxEmailLength } from "#platform/email-address.rules.ts";

export const channels = ["email", "sms"] as const;
export type Channel = (typeof channels)[number];

export const mailAddress = z
  .email({ pattern: emailPattern, error: "Enter an email address, like name@example.org." })
  .max(maxEmailLength);
/** A number that can receive an SMS: + and 7 to 15 digits (E.164). */
export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "Enter a number with its country code, like +15125550199.");

export const givesUpAfterDays = 3;
const waits = [15, 60, 300, 900, 3600] as const;

/** Returns the seconds until the next attempt after `tries` failed ones: 15 s after the first, up to one hour. */
export const retryDelaySeconds = (tries: number): number =>
  waits[Math.min(Math.max(tries, 1), waits.length) - 1] ?? 3600;

export const leaseSeconds = 300;

type Tried = { attempts: number; next_try_at: Date; now: Date };

/** Returns when the last attempt of a waiting message failed: the one before the current, if a process sends it now. */
export function lastFailureAt({ attempts, next_try_at: next, now }: Tried): Date {
  const at = next.getTime() - retryDelaySeconds(attempts) * 1_000;
  return new Date(at <= now.getTime() ? at : next.getTime() - (leaseSeconds + retryDelaySeconds(attempts - 1)) * 1_000);
}

/** Returns the log's text of a message that was sent, or finally could not be. The recipient is displayed with it. */
export const deliveryText = (channel: string, title: string, isSent: boolean): string =>
  `The ${channel === "sms" ? "SMS" : "email"} “${title}” ${isSent ? "was" : "could not be"} sent`;

export function oneLine(text: string, max = 160): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  const flat = text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029\s]+/g, " ").trim();
  return flat.length > max ? `${flat.slice(0, max - 1).trimEnd()}…` : flat;
}
