import type { PaymentKind } from "#ledger/rules.ts";

/** A card that the provider saved for a later charge: its display data, never its number. */
export type ProviderCard = Readonly<{
  customer: string;
  method: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}>;

/** An off-session charge of a saved card. A repeat with the same key must be exactly the same. */
export type CardCharge = Readonly<{
  /** Sent as metadata, by which a charge with a lost response is found. */
  paymentId: string;
  /** The provider's idempotency key: the payment's id, unless that key is no longer usable. */
  key: string;
  bookingId: string;
  bookingNumber?: string | null;
  payerName?: string | null;
  payerEmail?: string | null;
  kind: PaymentKind;
  amount: number;
  currency: string;
  title: string;
  customer: string;
  method: string;
}>;
