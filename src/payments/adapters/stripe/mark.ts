import type Stripe from "stripe";
import type { CheckoutRequest, MarkedBy, PaymentMark } from "#gateway/gateway.ts";
import { paymentKinds } from "#ledger/rules.ts";

type Marked = Pick<CheckoutRequest, "paymentId" | "bookingId" | "bookingNumber" | "kind"> &
  Partial<Pick<CheckoutRequest, "payerName" | "payerEmail">>;

/** Returns the metadata that identifies the payment, the booking and the payer. Stripe allows 500 characters per value. */
export const markFields = (of: Marked, installation: string): Record<string, string> => ({
  installation,
  intent_id: of.paymentId,
  booking_id: of.bookingId,
  kind: of.kind,
  ...(of.bookingNumber ? { booking_number: of.bookingNumber } : {}),
  ...(of.payerName ? { payer_name: of.payerName.slice(0, 200) } : {}),
  ...(of.payerEmail ? { payer_email: of.payerEmail.slice(0, 320) } : {}),
});

/** Returns the id of the payment that an object belongs to. Null unless this installation created it. */
export const ownPaymentId = (metadata: Stripe.Metadata | null, installation: string): string | null =>
  metadata?.["installation"] === installation ? (metadata["intent_id"] ?? null) : null;

export function markedBy(metadata: Stripe.Metadata | null, installation: string): MarkedBy {
  const mark = metadata?.["installation"];
  if (!mark) return "nobody";
  return mark === installation ? "us" : "other";
}

export function markOf(metadata: Stripe.Metadata | null, installation: string): PaymentMark | null {
  if (!metadata || markedBy(metadata, installation) !== "us") return null;
  const text = (name: string) => metadata[name] || null;
  return {
    kind: paymentKinds.find((kind) => kind === metadata["kind"]) ?? null,
    way: metadata["way"] === "saved_card" ? "saved_card" : "checkout",
    bookingId: text("booking_id"),
    bookingNumber: text("booking_number"),
    payerName: text("payer_name"),
    payerEmail: text("payer_email"),
  };
}
