/** What a payment link can be: payable, too early, paid, used once already, or over. */
export const payLinkStates = ["due", "not_due", "paid", "used", "ended"] as const;
export type PayLinkState = (typeof payLinkStates)[number];
