import type { PaymentKind } from "#ledger/rules.ts";

/** A card that the provider keeps for a later charge: what people recognise it by, never its number. */
export type ProviderCard = Readonly<{
  customer: string;
  method: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}>;

/** A charge of a kept card while its owner is away. A repeat under the same key must be exactly the same. */
export type CardCharge = Readonly<{
  /** Travels as the mark, by which a lost answer is found again. */
  paymentId: string;
  /** The provider's idempotency key: the payment's id, unless that key can no longer be relied on. */
  key: string;
  /** Also the provider's transfer group. */
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
