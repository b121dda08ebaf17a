import { expect, test } from "vitest";
import { mailAddress, phoneNumber, retryDelaySeconds } from "./rules.ts";

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
