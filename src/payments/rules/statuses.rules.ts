/** The states of payments and their checkouts, pure. */
import { holdLimits } from "#calendar/holds.rules.ts";

export const paymentStatuses = {
  requires_payment_method: { label: "Pending Payment", tone: "gold", done: 50 },
  succeeded: { label: "Succeeded", tone: "green", done: 100 },
  failed: { label: "Failed", tone: "cherry", done: 0 },
  refunded: { label: "Refunded", tone: "buff", done: 100 },
} as const;
export type PaymentStatus = keyof typeof paymentStatuses;

/** The badge of a payment status; other values are displayed as they are. */
export const paymentLabel = (status: string): string =>
  Object.hasOwn(paymentStatuses, status) ? paymentStatuses[status as PaymentStatus].label : status;

/** reserved, open, paid, closed (ended or refunded). Money is recorded in every state; late money moves closed to paid. */
export const checkoutStates = {
  reserved: { open: "open", pay: "paid", end: "closed" },
  open: { pay: "paid", end: "closed" },
  paid: { giveBack: "closed" },
  closed: { pay: "paid", refundFailed: "paid" },
} as const satisfies Record<string, Record<string, string>>;
export type CheckoutState = keyof typeof checkoutStates;
export type CheckoutStep = "open" | "pay" | "end" | "giveBack" | "refundFailed";

/** Where a step leads from a state, or undefined when the state does not know it. */
export function nextCheckoutState(state: CheckoutState, step: CheckoutStep): CheckoutState | undefined {
  const steps: Partial<Record<CheckoutStep, CheckoutState>> = checkoutStates[state];
  return steps[step];
}

/** How long a checkout can be paid: as long as it holds its date. `expires` is what the provider is told. */
export const checkoutMinutes = { shown: holdLimits.shownMinutes, expires: holdLimits.minutes } as const;
export const webhookToleranceSeconds = 300;

/** The type of the event that the admin's test of the webhook signs. */
export const webhookTestType = "stagedoor.webhook_test";
