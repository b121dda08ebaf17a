import { holdLimits } from "#calendar/holds.rules.ts";

export const paymentStatuses = {
  requires_payment_method: { label: "Pending Payment", tone: "gold", done: 50 },
  succeeded: { label: "Succeeded", tone: "green", done: 100 },
  failed: { label: "Failed", tone: "cherry", done: 0 },
  refunded: { label: "Refunded", tone: "buff", done: 100 },
} as const;
export type PaymentStatus = keyof typeof paymentStatuses;

export const paymentLabel = (status: string): string =>
  Object.hasOwn(paymentStatuses, status) ? paymentStatuses[status as PaymentStatus].label : status;

/** Transitions of a checkout. closed: expired or refunded. Money is recorded in every state. A late payment changes closed to paid. */
export const checkoutStates = {
  reserved: { open: "open", pay: "paid", end: "closed" },
  open: { pay: "paid", end: "closed" },
  paid: { giveBack: "closed" },
  closed: { pay: "paid", refundFailed: "paid" },
} as const satisfies Record<string, Record<string, string>>;
export type CheckoutState = keyof typeof checkoutStates;
export type CheckoutStep = "open" | "pay" | "end" | "giveBack" | "refundFailed";

export function nextCheckoutState(state: CheckoutState, step: CheckoutStep): CheckoutState | undefined {
  const steps: Partial<Record<CheckoutStep, CheckoutState>> = checkoutStates[state];
  return steps[step];
}

/** Minutes that a checkout can be paid, equal to the hold of its date. `expires` is sent to the provider. */
export const checkoutMinutes = { shown: holdLimits.shownMinutes, expires: holdLimits.minutes } as const;
export const webhookToleranceSeconds = 300;

/** Event type that the admin's test of the webhook signs. */
export const webhookTestType = "stagedoor.webhook_test";
