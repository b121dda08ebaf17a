/** Events of payments. Amounts are integer minor units. */

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
/** Published when a bank declines. The checkout may still be open for another attempt. */
export type PaymentFailed = {
  paymentId: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  reason: string;
  way?: CollectionMethod;
  /** Why the automatic charge of a saved card was declined. There is no page to retry on. */
  automatic?: DeclineCode;
};
/** Published when the provider saves a card for a booking, or has removed it without our request. */
export type SavedCardChanged = { bookingId: string };
/** Published when a checkout ended without money and the provider confirmed that it can no longer be paid. */
export type CheckoutEnded = { paymentId: string; bookingId: string; kind: PaymentKind; way?: CollectionMethod };
/** Published when a refund reached the payer. `amount` is that of this refund. */
export type RefundSucceeded = {
  refundId: string;
  paymentId: string;
  bookingId: string;
  amount: number;
  /** The payer's bank paid it in a lost dispute. The platform sent nothing. */
  byDispute?: boolean;
  paidOutside?: { how: string; by: string };
  /** Made in the provider's dashboard, without a decision in this app. */
  madeAtProvider?: boolean;
  /** What of it was money that an appeal had won back and nobody had decided about. */
  fromRegained?: number;
};
/** Published when the provider refused a refund, or the bank returned a sent one (`returned`). Without a payment it is of money that was not applied. */
export type RefundFailed = {
  refundId: string;
  paymentId: string | null;
  bookingId: string | null;
  amount: number;
  currency: string;
  reason: string;
  returned: boolean;
  /** True if the provider may have made the refund, so the payer may have the money. An older event has none. */
  isUnconfirmed?: boolean;
  /** True if the dispute of its charge has ended. While the dispute is open, no one has to act. */
  afterDispute?: true;
  /** True if the notice of a dispute of its charge could not be processed, so the bank may have taken the money. */
  noticeFailed?: boolean;
};
/** Why a payment is not applied. It is refunded in full. */
export const unappliedReasons = [
  "no such payment",
  "the other mode of the provider",
  "another currency",
  "another amount",
  "paid twice",
  "paid for a checkout that was replaced",
] as const;
export type UnappliedReason = (typeof unappliedReasons)[number];
/** Published when a charge cannot be applied to the payment that it names. */
export type UnappliedPayment = {
  providerPayment: string;
  paymentId: string;
  bookingId: string;
  amount: number;
  currency: string;
  reason: Exclude<UnappliedReason, "no such payment">;
};
export type DifferencesFound = {
  count: number;
  first: { what: string; ref: string; amount: number | null; currency: string | null }[];
};
export type PaymentEvents = {
  "payment.succeeded": PaymentSucceeded;
  "payment.failed": PaymentFailed;
  "checkout.ended": CheckoutEnded;
  "refund.succeeded": RefundSucceeded;
  "refund.failed": RefundFailed;
  "payment.unapplied": UnappliedPayment;
  "saved_card.changed": SavedCardChanged;
  "payment.differences_found": DifferencesFound;
};
