import { expect, test } from "vitest";
import { policies, policyNamed, policyNames } from "./cancellation.rules.ts";
import { policySummary } from "./policy-text.rules.ts";

test("policySummary states each standard policy in at most 200 characters per line", () => {
  expect(Object.values(policies).map((policy) => policySummary(policy)[0])).toEqual([
    "Flexible cancellation policy. If you cancel, the artist keeps nothing until 31 days before the event, the deposit until 7 days before, then 50% of the fee.",
    "Standard cancellation policy. If you cancel, the artist keeps the deposit until 29 days before the event, the deposit and 50% of the balance until 14 days before, then the whole fee.",
    "Strict cancellation policy. If you cancel, the artist keeps the whole fee.",
  ]);
  for (const line of policyNames.flatMap((name) => policySummary(policyNamed(name))))
    expect(line.length).toBeLessThanOrEqual(200);
});

test("policyNamed returns the policy of a name, and the standard one for an unknown name", () => {
  expect(policyNames.map((name) => policyNamed(name))).toEqual(policyNames.map((name) => policies[name]));
  expect(policyNames.map((name) => policyNamed(name).name)).toEqual(policyNames);
  for (const unknown of ["", "lenient", "Strict", "constructor"]) expect(policyNamed(unknown)).toBe(policies.standard);
});
