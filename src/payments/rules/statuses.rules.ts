import { holdLimits } from "#calendar/checkout-hold.rules.ts";

export const paymentStatuses = {
  requires_payment_method: "Pending Payment",
  succeeded: "Succeeded",
  failed: "Failed",
  refunded: "Refunded",
} as const;
export type PaymentStatus = keyof typeof paymentStatuses;

const labels = { ...paymentStatuses, not_paid: "Not paid" } as const;

/** Returns the status to display. A failed payment that the bank did not decline was released or expired: `not_paid`. */
export const displayedPaymentStatus = ({ status, declined }: Readonly<{ status: string; declined: boolean }>): string =>
  status === "failed" && !declined ? "not_paid" : status;

export const paymentLabel = (displayed: string): string =>
  Object.hasOwn(labels, displayed) ? labels[displayed as keyof typeof labels] : displayed;

/** Transitions of a checkout. closed: expired or refunded. Money is recorded in every state. A late payment changes closed to paid. */
export const checkoutStates = {
  reserved: { open: "open", pay: "paid", end: "closed" },
  open: { pay: "paid", end: "closed" },
  paid: { refund: "closed" },
  closed: { pay: "paid", refundFailed: "paid" },
} as const satisfies Record<string, Record<string, string>>;
export type CheckoutState = keyof typeof checkoutStates;
export type CheckoutStep = "open" | "pay" | "end" | "refund" | "refundFailed";

export function nextCheckoutState(state: CheckoutState, step: CheckoutStep): CheckoutState | undefined {
  const steps: Partial<Record<CheckoutStep, CheckoutState>> = checkoutStates[state];
  return steps[step];
}

/** Minutes, equal to the hold of a checkout's date. `expires` is sent to the provider. */
export const checkoutMinutes = { shown: holdLimits.shownMinutes, expires: holdLimits.minutes } as const;
