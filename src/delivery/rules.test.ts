import { expect, test } from "vitest";
import { lastFailureAt, mailAddress, phoneNumber, retryDelaySeconds } from "./rules.ts";

test("refuses an address with a line break, a second mailbox or a display name", () => {
  expect(mailAddress.safeParse("ada@example.org").success).toBe(true);
  const hostile = [
    "a@example.org\r\nBcc: b@example.org",
    "a@example.org\n",
    "a@example.org, b@example.org",
    "Ada <a@example.org>",
    "a@",
    "",
    `${"a".repeat(250)}@example.org`,
  ];
  for (const address of hostile) expect(mailAddress.safeParse(address).success, address).toBe(false);
});

test("accepts a phone number with country code and digits only", () => {
  expect(phoneNumber.safeParse("+15125550199").success).toBe(true);
  for (const text of ["512 555 0199", "", "+0123456789", "+1512\n5550199x", "+15125550199\r\n"])
    expect(phoneNumber.safeParse(text).success).toBe(false);
});

test("returns growing waits between attempts, from 15 seconds to an hour", () => {
  const waits = [1, 2, 3, 4, 5, 6, 70].map(retryDelaySeconds);
  expect(waits).toEqual([15, 60, 300, 900, 3600, 3600, 3600]);
});

test("returns when a message failed last, also while a process sends it again", () => {
  const at = (seconds: number) => new Date(seconds * 1_000);
  expect(lastFailureAt({ attempts: 1, next_try_at: at(1_015), now: at(1_010) })).toEqual(at(1_000));
  expect(lastFailureAt({ attempts: 2, next_try_at: at(1_315), now: at(1_020) })).toEqual(at(1_000));
});
