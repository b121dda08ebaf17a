/** The cancellation policies that the platform can be set to. Their content is in the bookings module. */
export const policyNames = ["flexible", "standard", "strict"] as const;
export type PolicyName = (typeof policyNames)[number];
