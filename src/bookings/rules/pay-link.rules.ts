export const payLinkStates = ["due", "not_due", "paid", "ended"] as const;
export type PayLinkState = (typeof payLinkStates)[number];
