/** Which document follows from a posting, with its parties and sums. Plain values in and out: nothing is read or written here. */
import { formatMoneyExact, includedTax } from "#platform/money.rules.ts";
import { dayIn } from "#platform/time/calendar.rules.ts";
import type { Composed, Draft, DuePosting, Original, Surroundings } from "./draft.ts";
import { creditedTax, documentNames, noTax } from "./rules.ts";
import type { Party, Tax } from "./rules.ts";

/** The cause of the document of which a correction counts: the credit note that it corrects had taken from it. */
export const correctedCause = (posting: DuePosting): string =>
  posting.kind === "dispute_share_returned" ? `release:${posting.booking.id}` : chargeCause(posting);

export const notedCause = ({ cause }: DuePosting): string =>
  cause.replace(/:undone$/, ":settled").replace(/^(dispute:.*):returned$/, "$1:lost");

/** The cause of the receipt that a refund's credit note takes back. */
const chargeCause = (posting: DuePosting): string => posting.payment?.chargeCause ?? "";

/** One statement covers a payout, another what is given back after a dispute. */
export const payoutCause = ({ id, disputeId }: NonNullable<DuePosting["payout"]>): string =>
  disputeId === null ? `payout:${id}` : `payout:${id}:${disputeId}`;

export function composeDocument(posting: DuePosting, around: Surroundings): Composed {
  switch (posting.kind) {
    case "charge":
      return receipt(posting, around);
    case "release":
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
      return undoneRefund(posting, around);
    case "dispute_share_returned":
      return posting.commission > 0 ? regainedCommission(posting, around) : "nothing";
  }
}

/** The platform gives commission back that it has invoiced; a posting that takes none of it has no document. */
const returnedCommission = (posting: DuePosting, around: Surroundings, reason: string | null): Composed =>
  posting.commission < 0
    ? creditNote({ ...posting, refundReason: reason }, around, `release:${posting.booking.id}`, {
        amount: -posting.commission,
        label: `Commission returned for booking ${posting.booking.number}`,
      })
    : "nothing";

const blank: Party = { name: "", legalName: "", address: "", taxId: "", email: "" };

/** The promoter, or whoever paid for the promoter. The payer's address is known to nobody else, so it is not on the document. */
function buyerOf({ booking, payment }: DuePosting): Party {
  const payer = payment?.payer;
  if (payer) return { ...blank, name: payer.name, legalName: payer.company, taxId: payer.taxId };
  return { ...blank, name: booking.promoterName, legalName: booking.organization, email: booking.promoterEmail };
}

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
      buyer: buyerOf(posting),
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
  const what = disputeId === null ? "Payout" : "Share returned after a dispute was won by an appeal,";
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
      ...(payout.sent ? { sent: payout.sent } : {}),
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
function undoneRefund(posting: DuePosting, around: Surroundings): Composed {
  const note = around.find(notedCause(posting));
  if (!note) return "wait";
  const amount = -note.gross;
  const label = `The refund of ${formatMoneyExact(amount, posting.currency)} did not arrive`;
  return correction(posting, around, { note, ...artistToPromoter(posting, around), amount, tax: -note.tax, label });
}

/** Takes back the credit note of commission that a lost dispute had taken, as far as it came back. The invoice stays. */
function regainedCommission(posting: DuePosting, around: Surroundings): Composed {
  const note = around.find(notedCause(posting));
  const invoice = around.find(correctedCause(posting));
  if (!note || !invoice) return "wait";
  const { gross, tax, taxBps: bps, credited, creditedTax: before } = invoice;
  return correction(posting, around, {
    note,
    ...platformToArtist(posting, around),
    amount: posting.commission,
    tax: creditedTax({ gross, tax, bps }, { credited, tax: before }, -posting.commission),
    label: `Commission for booking ${posting.booking.number}, won back by an appeal`,
  });
}

type Sides = Pick<ReturnType<typeof artistToPromoter | typeof platformToArtist>, "parties" | "sides">;

/** Takes a credit note back by `amount`, between the same parties. */
function correction(
  posting: DuePosting,
  around: Surroundings,
  { note, parties, sides, amount, tax, label }: Sides & { note: Original; amount: number; tax: number; label: string },
): Draft {
  const base = common(posting, around);
  return {
    ...base,
    ...sides,
    correctsId: note.id,
    gross: amount,
    tax: tax === 0 ? 0 : tax,
    taxLabel: note.taxLabel,
    taxBps: note.taxBps,
    kind: "correction",
    causeKey: posting.cause,
    details: {
      ...base.details,
      ...parties,
      lines: [{ label, amount }],
      corrects: { number: note.number, name: documentNames[note.kind], issuedOn: note.issuedOn },
      reason: null,
    },
  };
}
