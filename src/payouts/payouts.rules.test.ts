import { describe, expect, test } from "vitest";
import { type PayoutState, payoutStatuses, payoutStatusOf, payoutWaits } from "./payouts.rules.ts";

const now = new Date("2027-03-01T12:00:00Z");
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);
/** A due payout without any blocking condition. */
const pending = {
  amount: 10_000,
  dueAt: before,
  paid: false,
  reversed: 0,
  failed: false,
  sent: false,
  account: "completed",
  frozenUntil: null,
  refundOpen: false,
} as PayoutState;
const statusOf = (more: Partial<PayoutState>) => payoutStatusOf({ ...pending, ...more }, now);

describe("the status of a payout", () => {
  test.each<[string, Partial<PayoutState>, string, string | null]>([
    ["of which nothing is left is reversed", { amount: 0 }, "reversed", null],
    ["that was paid and taken back in full is reversed", { paid: true, reversed: 10_000 }, "reversed", null],
    ["of which more was taken back than it was is reversed", { paid: true, reversed: 10_001 }, "reversed", null],
    ["that was paid and taken back in part is paid", { paid: true, reversed: 9_999 }, "paid", null],
    ["that was paid is paid", { paid: true }, "paid", null],
    ["that the provider refused has failed", { failed: true }, "failed", null],
    ["that is on its way is in transit", { sent: true }, "in_transit", null],
    ["that the payer's bank may take back is frozen", { disputed: true }, "frozen", "dispute"],
    ["whose contract a party objects to is frozen", { objected: true }, "frozen", "objection"],
    ["whose refund is open is frozen", { refundOpen: true }, "frozen", "refund"],
    ["of an act that has a new owner is frozen", { isFormerOwners: true }, "frozen", "owner"],
    ["whose bank has just changed is frozen", { frozenUntil: after }, "frozen", "bank"],
    ["whose bank changed long enough ago is pending", { frozenUntil: now }, "pending", null],
    ["without a completed account waits for it", { account: "pending" }, "pending", "account"],
    ["of a restricted account waits for it", { account: "restricted" }, "pending", "account"],
    ["before its day waits for it", { dueAt: after }, "pending", "date"],
    ["on its day waits for nothing", { dueAt: now }, "pending", null],
    ["that was taken back but never paid counts by what it waits for", { reversed: 10_000 }, "pending", null],
  ])("%s", (_title, facts, status, waits) => expect(statusOf(facts)).toEqual({ status, waits }));

  test("follows from the first deciding condition, in any combination", () => {
    // In the order of precedence: each condition alone, with its status and wait.
    const facts: [Partial<PayoutState>, string, string | null][] = [
      [{ paid: true }, "paid", null],
      [{ failed: true }, "failed", null],
      [{ sent: true }, "in_transit", null],
      [{ disputed: true }, "frozen", "dispute"],
      [{ objected: true }, "frozen", "objection"],
      [{ refundOpen: true }, "frozen", "refund"],
      [{ isFormerOwners: true }, "frozen", "owner"],
      [{ frozenUntil: after }, "frozen", "bank"],
      [{ account: "none" }, "pending", "account"],
      [{ dueAt: after }, "pending", "date"],
    ];
    for (let chosen = 1; chosen < 2 ** facts.length; chosen++) {
      const some = facts.filter((_fact, index) => chosen & (1 << index));
      const [, status, waits] = some[0] ?? [];
      expect(statusOf(Object.assign({}, ...some.map(([fact]) => fact)))).toEqual({ status, waits });
    }
  });
});

test("lists every status and wait", () => {
  expect(payoutStatuses).toEqual(
    expect.arrayContaining(["held", "pending", "frozen", "in_transit", "paid", "failed", "reversed"]),
  );
  expect(payoutWaits).toEqual(expect.arrayContaining(["date", "account", "bank", "refund", "dispute", "no_show"]));
});
