/** The cancellation policies that the platform can allow. Their content is in the bookings module. */
export const policyNames = ["flexible", "standard", "strict"] as const;
export type PolicyName = (typeof policyNames)[number];
export const policyChoices = ["", ...policyNames] as const;
type PolicyChoice = (typeof policyChoices)[number];

export const policyTitles = {
  flexible: "Flexible",
  standard: "Standard",
  strict: "Strict",
} as const satisfies Record<PolicyName, string>;

type PlatformPolicies = Readonly<{
  policyName: PolicyName;
  allowFlexiblePolicy: boolean;
  allowStandardPolicy: boolean;
  allowStrictPolicy: boolean;
}>;

/** Returns the policies that artists can choose. The platform's default is always one of them. */
export function allowedPolicies(platform: PlatformPolicies): PolicyName[] {
  const allowed = {
    flexible: platform.allowFlexiblePolicy,
    standard: platform.allowStandardPolicy,
    strict: platform.allowStrictPolicy,
  };
  return policyNames.filter((name) => allowed[name] || name === platform.policyName);
}

export const policyOfArtist = (platform: PlatformPolicies, choice: PolicyChoice): PolicyName =>
  allowedPolicies(platform).find((name) => name === choice) ?? platform.policyName;
