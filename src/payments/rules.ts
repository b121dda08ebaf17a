/** The rules of payments, pure. Amounts are integer minor units; nothing is rounded twice (safety, section d). */
import { holdLimits } from "#calendar/holds.rules.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import type { DeclineCode, PaymentWay } from "./cards/cards.rules.ts";
import { shareOf, shareOfBps } from "./money.rules.ts";

export { cardLabel, type DeclineCode, declineCodeOf, type PaymentWay, paymentWays } from "./cards/cards.rules.ts";
export { disputeStateOf, evidenceStates, isRealDispute, statusesTakingEvidence } from "./disputes/disputes.rules.ts";
export { objectionHours, payoutStatuses, payoutWaits } from "./payouts/payouts.rules.ts";
export type { PayoutStatus, PayoutWait } from "./payouts/payouts.rules.ts";
export { type LedgerPosition, type PaymentKind, paymentKinds } from "#ledger/rules.ts";

/** Currencies we take, all of two decimals, with the least amount a card provider charges in each. */
export const currencies = {
  usd: { least: 50 },
  eur: { least: 50 },
  gbp: { least: 30 },
  cad: { least: 50 },
  aud: { least: 50 },
  nzd: { least: 50 },
  chf: { least: 50 },
  sek: { least: 300 },
  nok: { least: 300 },
  dkk: { least: 250 },
  pln: { least: 200 },
  mxn: { least: 1000 },
  brl: { least: 50 },
  sgd: { least: 50 },
  hkd: { least: 400 },
} as const;

export type Currency = keyof typeof currencies;

export const defaultCurrency = "usd" satisfies Currency;

export const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code);

/** Splits a price into deposit and balance, whole percent, half up. If a part is too small for the provider, the deposit is the whole price. */
export function splitPrice(
  price: number,
  depositPercent: number,
  currency: Currency,
): { deposit: number; balance: number } {
  const deposit = shareOf(price, depositPercent, 100);
  const balance = price - deposit;
  const tooSmall = (amount: number) => amount > 0 && amount < currencies[currency].least;
  return tooSmall(deposit) || tooSmall(balance) ? { deposit: price, balance: 0 } : { deposit, balance };
}

/** The price that a card can pay: one below the provider's minimum is settled by hand, as if there were none ("on request"). */
export const chargeable = (price: number, currency: Currency): number =>
  price < currencies[currency].least ? 0 : price;

/** Splits what is kept into the platform's commission (basis points, half up) and the artist's share. */
export function splitCommission(kept: number, commissionBps: number): { commission: number; artist: number } {
  const commission = shareOfBps(kept, commissionBps);
  return { commission, artist: kept - commission };
}

/** The fee that the demo's provider takes of a charge: 2.9 % and 30 minor units. */
export const demoFee = (amount: number): number => shareOf(amount, 29, 1_000) + 30;

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
/** A provider forgets idempotency keys after 24 hours: an older payment is looked up before anything is sent again. */
export const lookUpAfterHours = 20;
export const webhookToleranceSeconds = 300;

/** The type of the event that the admin's test of the webhook signs. */
export const webhookTestType = "stagedoor.webhook_test";

export type PaymentSucceeded = {
  paymentId: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  paidAt: string;
};
/** Published when a bank declines; the checkout may still be open for another try. */
export type PaymentFailed = {
  paymentId: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  reason: string;
  way?: PaymentWay;
  /** Why the automatic charge of a kept card was refused; there is no page to try again on. */
  automatic?: DeclineCode;
};
/** Published when the provider keeps a card for a booking, or has forgotten it without being asked. */
export type SavedCardChanged = { bookingId: string };
/** Published when a checkout ended without money and the provider has confirmed that it cannot be paid any more. */
export type CheckoutEnded = { paymentId: string; bookingId: string; kind: PaymentKind; way?: PaymentWay };
/** Published when a refund has reached the payer; amount is that of this refund. */
export type RefundSucceeded = {
  refundId: string;
  paymentId: string;
  bookingId: string;
  amount: number;
  /** The payer's bank paid it in a lost dispute; nothing was sent by us. */
  byDispute?: boolean;
  paidOutside?: { how: string; by: string };
  /** It was made in the provider's dashboard; no decision here asked for it. */
  madeAtProvider?: boolean;
};
/** Why a payment is not applied; it is refunded in full. */
export const unappliedReasons = [
  "no such payment",
  "the other mode of the provider",
  "another currency",
  "another amount",
  "paid twice",
  "paid for a checkout that was replaced",
] as const;
export type UnappliedReason = (typeof unappliedReasons)[number];
/** Published when a charge cannot be applied. Payment and booking are null when it names none of ours. */
export type UnappliedPayment = {
  providerPayment: string;
  paymentId: string | null;
  bookingId: string | null;
  amount: number;
  currency: string;
  reason: UnappliedReason;
};
export type PaymentEvents = {
  "payment.succeeded": PaymentSucceeded;
  "payment.failed": PaymentFailed;
  "checkout.ended": CheckoutEnded;
  "refund.succeeded": RefundSucceeded;
  "payment.unapplied": UnappliedPayment;
  "saved_card.changed": SavedCardChanged;
};
