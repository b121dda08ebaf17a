import { expect, test } from "vitest";
import { policies, policyNamed, policyNames } from "./cancellation.rules.ts";
import { policyLines, policySummary, fullRefundTerms } from "./policy-text.rules.ts";

test("policySummary states each standard policy in at most 200 characters", () => {
  expect(Object.values(policies).map((policy) => policySummary(policy))).toEqual([
    "Flexible cancellation policy. If you cancel 31 days or more before the event, you lose nothing. 7 to 30 days before: the deposit. Less than 7 days before: 50% of the price, or the deposit if more.",
    "Standard cancellation policy. If you cancel 29 days or more before the event, you lose the deposit. 14 to 28 days before: the deposit and 50% of the balance. Less than 14 days before: the whole price.",
    "Strict cancellation policy. If you cancel, you lose the whole price.",
  ]);
  for (const line of policyNames.map((name) => policySummary(policyNamed(name))))
    expect(line.length).toBeLessThanOrEqual(200);
});

test("policyLines returns the cooling-off period and a loss for each period, and fullRefundTerms the time of a full refund", () => {
  const cooling = { time: "Within 48 hours of paying the deposit, 14 days or more before", lost: "nothing" };
  expect(policyLines(policies.standard)).toEqual([
    cooling,
    { time: "29 days or more before", lost: "the deposit" },
    { time: "14 to 28 days before", lost: "the deposit and 50% of the balance" },
    { time: "Less than 14 days before", lost: "the whole price" },
  ]);
  expect(policyLines(policies.strict)).toEqual([cooling, { time: "At any other time", lost: "the whole price" }]);
  expect(policyLines(policies.flexible, false)).toEqual([
    { time: "Within 48 hours of the artist's acceptance, 14 days or more before", lost: "nothing" },
    { time: "7 days or more before", lost: "nothing" },
    { time: "Less than 7 days before", lost: "50% of the price" },
  ]);
  expect(policyLines(policies.standard, false).map(({ lost }) => lost)).toEqual([
    "nothing",
    "nothing",
    "50% of the price",
    "the whole price",
  ]);
  expect(fullRefundTerms(policies.standard, true)).toBe(
    "Cancel within 48 hours of paying the deposit and at least 14 days before the event: full refund.",
  );
  expect(fullRefundTerms(policies.standard, false)).toContain("of the artist's acceptance and");
});

test("policyNamed returns the policy of a name, and the standard one for an unknown name", () => {
  expect(policyNames.map((name) => policyNamed(name))).toEqual(policyNames.map((name) => policies[name]));
  expect(policyNames.map((name) => policyNamed(name).name)).toEqual(policyNames);
  for (const unknown of ["", "lenient", "Strict", "constructor"]) expect(policyNamed(unknown)).toBe(policies.standard);
});
