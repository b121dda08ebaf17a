/** What this module publishes. Amounts are integer minor units. */
import type { PaymentKind } from "#ledger/rules.ts";
import type { DeclineCode, CollectionMethod } from "./cards.rules.ts";

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
  way?: CollectionMethod;
  /** Why the automatic charge of a kept card was refused; there is no page to try again on. */
  automatic?: DeclineCode;
};
/** Published when the provider keeps a card for a booking, or has forgotten it without being asked. */
export type SavedCardChanged = { bookingId: string };
/** Published when a checkout ended without money and the provider has confirmed that it cannot be paid any more. */
export type CheckoutEnded = { paymentId: string; bookingId: string; kind: PaymentKind; way?: CollectionMethod };
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
