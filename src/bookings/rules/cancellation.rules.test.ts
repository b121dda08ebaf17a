import { expect, test } from "vitest";
import { policies, policyNamed, policyNames } from "./cancellation.rules.ts";

test("policyNamed returns the policy of a name, and the standard one for an unknown name", () => {
  expect(policyNames.map((name) => policyNamed(name))).toEqual(policyNames.map((name) => policies[name]));
  expect(policyNames.map((name) => policyNamed(name).name)).toEqual(policyNames);
  for (const unknown of ["", "lenient", "Strict", "constructor"]) expect(policyNamed(unknown)).toBe(policies.standard);
});
