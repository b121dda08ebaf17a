import { expect, test } from "vitest";
import { policies, policyNamed, policyNames } from "./cancellation.rules.ts";

test("a policy is found by its name, and an unknown name counts as standard", () => {
  expect(policyNames.map((name) => policyNamed(name))).toEqual(policyNames.map((name) => policies[name]));
  expect(policyNames.map((name) => policyNamed(name).name)).toEqual(policyNames);
  for (const unknown of ["", "lenient", "Strict", "constructor"]) expect(policyNamed(unknown)).toBe(policies.standard);
});
