import { expect, test } from "vitest";
import { addDays, daysBetween } from "#platform/time/calendar.rules.ts";
import { cancellationFee, policies, policyNamed } from "./cancellation.rules.ts";
import { describeFeeSteps, feeSteps } from "./fee-steps.rules.ts";

const price = { fee: 150_000, deposit: 37_500, balance: 112_500 };
const date = "2027-02-13";

test("returns three amounts of the standard terms, each with its last day", () => {
  expect(feeSteps(policyNamed("standard"), price, { date, today: "2026-11-21" })).toMatchObject([
    { fee: 37_500, until: "2027-01-15", coolingOff: true },
    { fee: 93_750, until: "2027-01-30" },
    { fee: 150_000, until: undefined },
  ]);
});

test("describes each step by its last day, from the promoter's side", () => {
  const describe = (name: "flexible" | "standard" | "strict", today: string) => {
    const policy = policies[name];
    return describeFeeSteps(policy, feeSteps(policy, price, { date, today }), (cents) => `$${cents / 100}`);
  };
  expect(describe("standard", "2026-11-21")).toBe(
    "If you cancel by 15 January, you lose $375. By 30 January: $937.5. Later: $1500.",
  );
  expect(describe("flexible", "2026-11-21")).toBe(
    "If you cancel by 13 January, you lose nothing. By 6 February: $375. Later: $750.",
  );
  expect(describe("strict", "2026-11-21")).toBe("If you cancel, you lose $1500.");
});

test("omits past steps", () => {
  expect(feeSteps(policyNamed("standard"), price, { date, today: "2027-02-08" })).toMatchObject([
    { fee: 150_000, until: undefined, coolingOff: false },
  ]);
});

test("returns for every day the fee of a cancellation on that day", () => {
  const money = { fee_cents: price.fee, deposit_cents: price.deposit, balance_cents: price.balance, paid: price.fee };
  for (const name of Object.keys(policies)) {
    const today = "2026-12-20";
    const steps = feeSteps(policyNamed(name), price, { date, today });
    for (let day = today; day <= date; day = addDays(day, 1)) {
      const shown = steps.find((step) => step.until === undefined || day <= step.until);
      expect(shown?.fee, `${name} on ${day}`).toBe(
        cancellationFee(policyNamed(name), money, { daysBefore: daysBetween(day, date), hoursSincePaid: 1_000 }),
      );
    }
    expect(steps.reduce((sum, step) => sum + step.days, 0)).toBe(daysBetween(today, date) + 1);
  }
});
