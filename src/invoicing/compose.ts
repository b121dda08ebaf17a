/** Which document follows from a posting, with its parties and sums. Plain values in and out: nothing is read or written here. */
import { formatMoneyExact, includedTax } from "#payments/money.rules.ts";
import { dayIn } from "#platform/time/calendar.rules.ts";
import { creditedTax, documentNames, noTax } from "./rules.ts";
import type { DocumentDetails, DocumentKind, Party, Tax } from "./rules.ts";

/** A posting of the ledger with the booking around it. Amounts are minor units of `currency`. */
export type DuePosting = Readonly<{
  groupId: string;
  kind:
    | "charge"
    | "release"
    | "refund_planned"
    | "refund_settled"
    | "refund_undone"
    | "payout"
    | "dispute_lost"
    | "dispute_regained"
    | "dispute_share_returned";
  cause: string;
  postedAt: Date;
  currency: string;
  /** What the posting moved at the provider (in is positive), and what it gave to the platform and the artist. */
  clearing: number;
  /** Of a settled refund: what has reached the payer, by the provider or by a lost dispute. */
  refunded: number;
  commission: number;
  artistShare: number;
  booking: Readonly<{
    id: string;
    number: string;
    artistId: string;
    artistName: string;
    promoterName: string;
    promoterEmail: string;
    organization: string;
    eventDate: string;
    venue: string;
  }>;
  /** `chargeCause`: of the posting that took the money, and so of its receipt; a charge that took its place later changes only the reference. */
  payment: Readonly<{ id: string; kind: "deposit" | "balance"; reference: string; chargeCause: string }> | null;
  refundReason: string | null;
  /** Of a transfer: its payout, the day it was complete, and what was released for it. */
  payout: Readonly<{
    id: string;
    amount: number;
    paidAt: Date | null;
    /** The dispute whose loss had taken this part; null: the payout itself. */
    disputeId: string | null;
    refundedBefore: number;
    released: Readonly<{ commission: number; artist: number }>;
  }> | null;
}>;

/** A document before it has its number. */
export type Draft = Readonly<{
  kind: DocumentKind;
  causeKey: string;
  bookingId: string;
  paymentId: string | null;
  correctsId: string | null;
  /** Null: the platform, and the promoter. */
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

/** An issued document that a credit note refers to, with what earlier notes took back of it (both positive). */
export type Original = Readonly<{
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

/** Who sells, and with which tax. */
export type Seller = Readonly<{ party: Party; tax: Tax }>;
export type Surroundings = Readonly<{
  now: Date;
  timeZone: string;
  platform: Seller;
  artistOf(artistId: string): Seller;
  /** The document with this cause, when it has been issued. */
  find(causeKey: string): Original | undefined;
}>;

/** "nothing": the posting has no document. "wait": the document that it refers to is not issued yet. */
export type Composed = Draft | "nothing" | "wait";

/** The cause of the receipt that a refund's credit note takes back. */
export const chargeCause = (posting: DuePosting): string => posting.payment?.chargeCause ?? "";

/** One statement covers a payout, another what is given back after a dispute. */
export const payoutCause = ({ id, disputeId }: NonNullable<DuePosting["payout"]>): string =>
  disputeId === null ? `payout:${id}` : `payout:${id}:${disputeId}`;

/** Composes the document of a posting. */
export function composeDocument(posting: DuePosting, around: Surroundings): Composed {
  switch (posting.kind) {
    case "charge":
      return receipt(posting, around);
    case "release":
    case "dispute_share_returned":
      return posting.commission > 0 ? commissionInvoice(posting, around) : "nothing";
    case "payout":
      return payoutStatement(posting, around);
    case "refund_settled":
      return creditNote(posting, around, chargeCause(posting), {
        amount: posting.refunded,
        label: `Refund of the ${posting.payment?.kind ?? "payment"} of booking ${posting.booking.number}`,
      });
    case "refund_planned":
      return returnedCommission(posting, around, posting.refundReason);
    // A receipt stands when its payment is lost to the payer's bank: nobody has granted a refund.
    case "dispute_lost":
    case "dispute_regained":
      return returnedCommission(posting, around, "The payer's bank took the payment back.");
    case "refund_undone":
      return correction(posting, around);
  }
}

/** The platform gives commission back that it has invoiced; a posting that takes none of it has no document. */
const returnedCommission = (posting: DuePosting, around: Surroundings, reason: string | null): Composed =>
  posting.commission < 0
    ? creditNote({ ...posting, refundReason: reason }, around, `release:${posting.booking.id}`, {
        amount: -posting.commission,
        label: `Commission given back for booking ${posting.booking.number}`,
      })
    : "nothing";

const blank: Party = { name: "", legalName: "", address: "", taxId: "", email: "" };

function promoterOf({ booking }: DuePosting): Party {
  return { ...blank, name: booking.promoterName, legalName: booking.organization, email: booking.promoterEmail };
}

/** What all documents of a posting share. */
function common(posting: DuePosting, { now, timeZone }: Surroundings, occurredAt = posting.postedAt) {
  const { booking, currency, payment } = posting;
  const details = {
    issuedOn: dayIn(timeZone, now),
    occurredOn: dayIn(timeZone, occurredAt),
    collectedBy: null,
    booking: {
      number: booking.number,
      artist: booking.artistName,
      promoter: booking.promoterName,
      eventDate: booking.eventDate,
      venue: booking.venue,
    },
    figures: [],
    corrects: null,
    reason: null,
    reference: payment?.reference ?? null,
  };
  return { bookingId: booking.id, paymentId: payment?.id ?? null, correctsId: null, currency, occurredAt, details };
}

const taxed = (gross: number, { label, bps }: Tax) => ({
  gross,
  tax: includedTax(gross, bps),
  taxLabel: label,
  taxBps: bps,
});

/** The artist sells to the promoter, through the platform. */
function artistToPromoter(posting: DuePosting, around: Surroundings) {
  const seller = around.artistOf(posting.booking.artistId);
  return {
    parties: {
      seller: seller.party,
      buyer: promoterOf(posting),
      collectedBy: around.platform.party.legalName || around.platform.party.name,
    },
    sides: {
      sellerArtistId: posting.booking.artistId,
      buyerArtistId: null,
      buyerEmail: posting.booking.promoterEmail,
    },
    tax: seller.tax,
  };
}

function platformToArtist(posting: DuePosting, around: Surroundings) {
  return {
    parties: {
      seller: around.platform.party,
      buyer: around.artistOf(posting.booking.artistId).party,
      collectedBy: null,
    },
    sides: { sellerArtistId: null, buyerArtistId: posting.booking.artistId, buyerEmail: null },
    tax: around.platform.tax,
  };
}

function receipt(posting: DuePosting, around: Surroundings): Draft {
  const { parties, sides, tax } = artistToPromoter(posting, around);
  const base = common(posting, around);
  const what = posting.payment?.kind === "balance" ? "Balance" : "Deposit";
  const { booking } = posting;
  const label = `${what} for ${booking.artistName}, booking ${booking.number}`;
  return {
    ...base,
    ...sides,
    ...taxed(posting.clearing, tax),
    kind: "receipt",
    causeKey: posting.cause,
    details: { ...base.details, ...parties, lines: [{ label, amount: posting.clearing }] },
  };
}

const shares = ({ commission, artist }: { commission: number; artist: number }) => [
  { label: "Gross", amount: commission + artist },
  { label: "Commission", amount: commission === 0 ? 0 : -commission },
  { label: "Net, the artist's", amount: artist },
];

function commissionInvoice(posting: DuePosting, around: Surroundings): Draft {
  const { parties, sides, tax } = platformToArtist(posting, around);
  const base = common(posting, around);
  const label = `Commission for booking ${posting.booking.number}, ${posting.booking.promoterName}`;
  return {
    ...base,
    ...sides,
    ...taxed(posting.commission, tax),
    kind: "commission_invoice",
    causeKey: posting.cause,
    details: {
      ...base.details,
      ...parties,
      lines: [{ label, amount: posting.commission }],
      figures: shares({ commission: posting.commission, artist: posting.artistShare }),
    },
  };
}

/** With the last transfer of it. It is no invoice and has no tax. */
function payoutStatement(posting: DuePosting, around: Surroundings): Composed {
  const { payout, booking } = posting;
  if (!payout?.paidAt || payout.amount === 0) return "nothing";
  const { parties, sides } = platformToArtist(posting, around);
  const base = common(posting, around, payout.paidAt);
  const { refundedBefore: refunded, released, disputeId } = payout;
  const disputed = released.artist - refunded - payout.amount;
  const figures =
    disputeId === null
      ? [
          ...shares(released),
          ...(refunded > 0 ? [{ label: "Refunded before the payout", amount: -refunded }] : []),
          ...(disputed > 0 ? [{ label: "Lost in a dispute before the payout", amount: -disputed }] : []),
        ]
      : [];
  const what = disputeId === null ? "Payout" : "Share given back after a dispute was won by an appeal,";
  return {
    ...base,
    ...sides,
    paymentId: null,
    ...taxed(payout.amount, noTax),
    kind: "payout_statement",
    causeKey: payoutCause(payout),
    details: {
      ...base.details,
      reference: null,
      ...parties,
      lines: [{ label: `${what} for booking ${booking.number}, ${booking.promoterName}`, amount: payout.amount }],
      figures,
    },
  };
}

function creditNote(
  posting: DuePosting,
  around: Surroundings,
  originalCause: string,
  { amount, label }: { amount: number; label: string },
): Composed {
  const original = around.find(originalCause);
  if (!original) return "wait";
  const { parties, sides } =
    original.kind === "receipt" ? artistToPromoter(posting, around) : platformToArtist(posting, around);
  const base = common(posting, around);
  const before = { credited: original.credited, tax: original.creditedTax };
  return {
    ...base,
    ...sides,
    paymentId: base.paymentId,
    correctsId: original.id,
    gross: -amount,
    tax: creditedTax({ gross: original.gross, tax: original.tax, bps: original.taxBps }, before, amount),
    taxLabel: original.taxLabel,
    taxBps: original.taxBps,
    kind: "credit_note",
    causeKey: posting.cause,
    details: {
      ...base.details,
      ...parties,
      lines: [{ label, amount: -amount }],
      corrects: { number: original.number, name: documentNames[original.kind], issuedOn: original.issuedOn },
      reason: posting.refundReason,
    },
  };
}

/** The provider gave a refund back: its credit note no longer stands, so a document of the same sum takes it back. */
function correction(posting: DuePosting, around: Surroundings): Composed {
  const note = around.find(posting.cause.replace(/:undone$/, ":settled"));
  if (!note) return "wait";
  const { parties, sides } = artistToPromoter(posting, around);
  const base = common(posting, around);
  const amount = -note.gross;
  return {
    ...base,
    ...sides,
    correctsId: note.id,
    gross: amount,
    tax: note.tax === 0 ? 0 : -note.tax,
    taxLabel: note.taxLabel,
    taxBps: note.taxBps,
    kind: "correction",
    causeKey: posting.cause,
    details: {
      ...base.details,
      ...parties,
      lines: [{ label: `The refund of ${formatMoneyExact(amount, posting.currency)} did not arrive`, amount }],
      corrects: { number: note.number, name: documentNames[note.kind], issuedOn: note.issuedOn },
      reason: null,
    },
  };
}
