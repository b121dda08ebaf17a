import { expect, test } from "vitest";
import { termsTimeOf, unsignedBalance } from "./cancellation.rules.ts";

const booking = {
  time_zone: "America/Chicago",
  event_date: "2027-02-13",
  deposit_paid_at: new Date("2027-02-01T12:00:00Z"),
};

test("termsTimeOf counts days in the event's zone, and hours since the deposit was paid", () => {
  expect(termsTimeOf(booking, new Date("2027-02-12T05:59:00Z"))).toMatchObject({ daysBefore: 2 });
  expect(termsTimeOf(booking, new Date("2027-02-12T06:00:00Z"))).toEqual({ daysBefore: 1, hoursSincePaid: 258 });
  expect(termsTimeOf({ ...booking, deposit_paid_at: null }, new Date("2027-02-14T12:00:00Z"))).toEqual({
    daysBefore: -1,
    hoursSincePaid: 0,
  });
});

test("unsignedBalance returns the held balance of a contract that is open for signatures again", () => {
  const paid = { status: "contract_sent", balance_cents: 112_500, balance_paid_at: new Date() };
  expect(unsignedBalance(paid, 150_000)).toBe(112_500);
  expect(unsignedBalance(paid, 40_000)).toBe(40_000);
  expect(unsignedBalance({ ...paid, status: "contract_signed" }, 150_000)).toBe(0);
  expect(unsignedBalance({ ...paid, balance_paid_at: null }, 150_000)).toBe(0);
});
