export const payLinkStates = ["due", "not_due", "paid", "used", "ended"] as const;
export type PayLinkState = (typeof payLinkStates)[number];
