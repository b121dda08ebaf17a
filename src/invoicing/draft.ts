import type { DocumentDetails, DocumentKind, Party, Tax } from "./rules.ts";

/** A posting of the ledger with its booking. Amounts are minor units of `currency`. */
export type DuePosting = Readonly<{
  groupId: string;
  kind:
    | "charge"
    | "release"
    | "refund_planned"
    | "refund_settled"
    | "refund_undone"
    | "payout"
    | "reversal"
    | "payout_returned"
    | "dispute_lost"
    | "dispute_regained"
    | "dispute_share_returned";
  cause: string;
  postedAt: Date;
  currency: string;
  /** What the posting moved at the provider (positive: received), and what it gave to the platform and the artist. */
  clearing: number;
  /** Of a settled refund: what reached the payer, through the provider or a lost dispute. Below 0 if it was undone. */
  refunded: number;
  commission: number;
  artistShare: number;
  /** Of a share returned after an appeal: its loss had taken no commission. */
  isNewCommission: boolean;
  /** Causes of the booking's commission invoices for shares that were returned after an appeal until then, oldest first. */
  laterInvoices: readonly string[];
  booking: Readonly<{
    id: string;
    number: string;
    artistId: string;
    artistName: string;
    promoterName: string;
    promoterEmail: string;
    organization: string;
    address: string;
    taxId: string;
    eventDate: string;
    venue: string;
  }>;
  /** `chargeCause` is the cause of the charge's posting and its receipt. A charge that replaced it later changes only the reference. */
  payment: Readonly<{
    id: string;
    kind: "deposit" | "balance";
    reference: string;
    chargeCause: string;
    payer: Readonly<{ name: string; email: string; company: string; taxId: string }> | null;
  }> | null;
  refundReason: string | null;
  /** Of a transfer, or of the transfer that a reversal reversed: its payout, the day of completion, and what was released for it. */
  payout: Readonly<{
    id: string;
    amount: number;
    paidAt: Date | null;
    /** The dispute whose loss had taken this part. Null: the payout itself. */
    disputeId: string | null;
    /** The reversal in the provider's dashboard whose amount this part sends again. */
    reversalId: string | null;
    /** What of it was paid outside the provider, by the platform or back by the artist. */
    outside: number;
    /** What of a reversal in the provider's dashboard waits to be sent again. */
    owedAgain: number;
    refundedBefore: number;
    lostInDisputes: number;
    sent: Readonly<{ amount: number; currency: string }> | null;
    released: Readonly<{ commission: number; artist: number }>;
  }> | null;
}>;

export type Draft = Readonly<{
  kind: DocumentKind;
  causeKey: string;
  bookingId: string;
  paymentId: string | null;
  correctsId: string | null;
  /** Null: the platform as seller, the promoter as buyer. */
  sellerArtistId: string | null;
  buyerArtistId: string | null;
  buyerEmail: string | null;
  currency: string;
  gross: number;
  tax: number;
  taxLabel: string;
  taxBps: number;
  details: DocumentDetails;
  occurredAt: Date;
}>;

export type Sale = Readonly<{
  parties: Pick<DocumentDetails, "seller" | "buyer" | "collectedBy">;
  sides: Pick<Draft, "sellerArtistId" | "buyerArtistId" | "buyerEmail">;
}>;

/** An issued document that another one corrects, with what earlier notes credited (both positive). The correction has its parties, because the artist may have another owner since. */
export type Original = Sale &
  Readonly<{
    id: string;
    number: string;
    kind: DocumentKind;
    gross: number;
    tax: number;
    taxLabel: string;
    taxBps: number;
    issuedOn: string;
    credited: number;
    creditedTax: number;
  }>;

export type Seller = Readonly<{ party: Party; tax: Tax }>;
export type Surroundings = Readonly<{
  now: Date;
  timeZone: string;
  platformOf(posting: DuePosting): Seller;
  artistOf(posting: DuePosting): Seller;
  find(causeKey: string): Original | undefined;
}>;

/** "nothing": the posting has no document. "wait": the document that it refers to is not issued yet. */
export type Composed = Draft | readonly Draft[] | "nothing" | "wait";
