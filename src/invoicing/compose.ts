import { formatMoneyExact, includedTax, splitOver, takeFromLast, totalLeft } from "#platform/money.rules.ts";
import { dayIn } from "#platform/time/calendar.rules.ts";
import type { Composed, Draft, DuePosting, Original, Sale, Surroundings } from "./draft.ts";
import { creditedTax, type DocumentDetails, documentNames, noTax, type Party, type Tax } from "./rules.ts";

export const correctedCause = (posting: DuePosting): string =>
  posting.kind === "dispute_share_returned" ? `release:${posting.booking.id}` : chargeCause(posting);

export const creditNoteCause = ({ cause }: DuePosting): string =>
  cause
    .replace(/:undone$/, ":settled")
    .replace(/:part_reopened:.*$/, ":covered")
    .replace(/:reopened(?=$|:)/, ":covered")
    .replace(/^(dispute:.*):returned$/, "$1:lost");

const chargeCause = (posting: DuePosting): string => posting.payment?.chargeCause ?? "";

/** One statement covers a payout, another each part that was sent again. */
export const payoutCause = ({ id, disputeId, reversalId }: NonNullable<DuePosting["payout"]>): string =>
  ["payout", id, reversalId ?? disputeId].filter((part) => part !== null).join(":");

export function composeDocument(posting: DuePosting, around: Surroundings): Composed {
  switch (posting.kind) {
    case "charge":
      return receipt(posting, around);
    case "release":
      return posting.commission > 0 ? commissionInvoice(posting, around) : "nothing";
    case "payout":
      return payoutStatement(posting, around);
    case "reversal":
    case "payout_returned":
      return payoutReversal(posting, around);
    case "refund_settled":
      return creditNote(posting, around, chargeCause(posting), {
        amount: posting.refunded,
        label: `Refund of the ${posting.payment?.kind ?? "payment"} of booking ${posting.booking.number}`,
      });
    case "refund_planned":
      return returnedCommission(posting, around, posting.refundReason);
    // The receipt remains when the payer's bank takes the payment back, because no refund was granted.
    case "dispute_lost":
    case "dispute_regained":
      return returnedCommission(posting, around, "The payer's bank took the payment back.");
    case "refund_undone":
      return undoneRefund(posting, around);
    case "dispute_share_returned":
      if (posting.commission <= 0) return "nothing";
      return posting.isNewCommission ? commissionInvoice(posting, around) : regainedCommission(posting, around);
  }
}

/** Credits invoiced commission that the platform returns: one note for each invoice. A posting without commission has no document. */
function returnedCommission(posting: DuePosting, around: Surroundings, reason: string | null): Composed {
  if (posting.commission >= 0) return "nothing";
  const invoices = invoicesToCredit(posting, around);
  if (invoices === "wait") return "wait";
  const label = `Commission returned for booking ${posting.booking.number}`;
  return invoices.map(({ invoice, amount }, index) => ({
    ...creditNoteOf({ ...posting, refundReason: reason }, around, invoice, { amount, label }),
    causeKey: index === 0 ? posting.cause : `${posting.cause}:invoice:${invoice.number}`,
  }));
}

/** Divides returned commission over the invoice of the release and later ones: on one of them if it has enough left. */
function invoicesToCredit({ booking, commission, laterInvoices }: DuePosting, { find }: Surroundings) {
  const causes = [`release:${booking.id}`, ...laterInvoices];
  const found = causes.flatMap((cause) => find(cause) ?? []);
  const leftOf = ({ gross, credited }: Original) => Math.max(0, gross - credited);
  const enough = found.find((invoice) => leftOf(invoice) >= -commission);
  if (enough) return [{ invoice: enough, amount: -commission }];
  const [first] = found;
  const lefts = found.map((invoice) => ({ invoice, left: leftOf(invoice) }));
  if (totalLeft(lefts) >= -commission)
    return splitOver(-commission, lefts, takeFromLast).map(({ invoice, share: amount }) => ({ invoice, amount }));
  return first === undefined || found.length < causes.length ? "wait" : [{ invoice: first, amount: -commission }];
}

const blank: Party = { name: "", legalName: "", address: "", taxId: "", email: "" };

/** Returns the promoter, or the payer in place of the promoter. A payer's address is private and is not printed. */
function buyerOf({ booking, payment }: DuePosting): Party {
  const payer = payment?.payer;
  if (payer) return { ...blank, name: payer.name, legalName: payer.company, taxId: payer.taxId };
  const { promoterName: name, organization: legalName, address, taxId, promoterEmail: email } = booking;
  return { name, legalName, address, taxId, email };
}

type OwnFields = Pick<Draft, "kind" | "gross" | "tax" | "taxLabel" | "taxBps"> &
  Partial<Pick<Draft, "causeKey" | "paymentId" | "correctsId" | "occurredAt">>;

function draftOf(
  posting: DuePosting,
  { now, timeZone }: Surroundings,
  { parties, sides }: Sale,
  { details, ...own }: OwnFields & { details: Pick<DocumentDetails, "lines"> & Partial<DocumentDetails> },
): Draft {
  const { booking, currency, payment, cause, postedAt } = posting;
  const { occurredAt = postedAt } = own;
  return {
    causeKey: cause,
    bookingId: booking.id,
    paymentId: payment?.id ?? null,
    correctsId: null,
    currency,
    occurredAt,
    ...sides,
    ...own,
    details: {
      issuedOn: dayIn(timeZone, now),
      occurredOn: dayIn(timeZone, occurredAt),
      timeZone,
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
      ...parties,
      ...details,
    },
  };
}

const taxed = (gross: number, { label, bps }: Tax) => ({
  gross,
  tax: includedTax(gross, bps),
  taxLabel: label,
  taxBps: bps,
});

function artistToPromoter(posting: DuePosting, around: Surroundings) {
  const seller = around.artistOf(posting);
  const { party: platform } = around.platformOf(posting);
  return {
    parties: {
      seller: seller.party,
      buyer: buyerOf(posting),
      collectedBy: platform.legalName || platform.name,
    },
    sides: { sellerArtistId: posting.booking.artistId, buyerArtistId: null, buyerEmail: posting.booking.promoterEmail },
    tax: seller.tax,
  };
}

function platformToArtist(posting: DuePosting, around: Surroundings) {
  const { party: seller, tax } = around.platformOf(posting);
  return {
    parties: {
      seller,
      buyer: around.artistOf(posting).party,
      collectedBy: null,
    },
    sides: { sellerArtistId: null, buyerArtistId: posting.booking.artistId, buyerEmail: null },
    tax,
  };
}

function receipt(posting: DuePosting, around: Surroundings): Draft {
  const sale = artistToPromoter(posting, around);
  const { booking, clearing: amount } = posting;
  const what = posting.payment?.kind === "balance" ? "Balance" : "Deposit";
  const label = `${what} for ${booking.artistName}, booking ${booking.number}`;
  return draftOf(posting, around, sale, {
    ...taxed(amount, sale.tax),
    kind: "receipt",
    details: { lines: [{ label, amount }] },
  });
}

const shares = ({ commission, artist }: { commission: number; artist: number }) => [
  { label: "Gross", amount: commission + artist },
  { label: "Commission", amount: commission === 0 ? 0 : -commission },
  { label: "Net, the artist's", amount: artist },
];

function commissionInvoice(posting: DuePosting, around: Surroundings): Draft {
  const sale = platformToArtist(posting, around);
  const { booking, commission, artistShare: artist } = posting;
  const label = `Commission for booking ${booking.number}, ${booking.promoterName}`;
  return draftOf(posting, around, sale, {
    ...taxed(commission, sale.tax),
    kind: "commission_invoice",
    details: { lines: [{ label, amount: commission }], figures: shares({ commission, artist }) },
  });
}

/** Issued with the last transfer of the payout. It is not an invoice and has no tax. */
function payoutStatement(posting: DuePosting, around: Surroundings): Composed {
  const { payout, booking } = posting;
  if (!payout?.paidAt || payout.amount === 0) return "nothing";
  const { released, disputeId, reversalId } = payout;
  const isFirst = disputeId === null && reversalId === null;
  const rest = released.artist - payout.refundedBefore - payout.amount;
  // A refund that was to be reversed is deducted if the provider refuses the transfer. Disputes take no more than they lost.
  const disputed = Math.min(rest, payout.lostInDisputes);
  const refunded = payout.refundedBefore + rest - disputed;
  const figures = isFirst
    ? [
        ...shares(released),
        ...(refunded > 0 ? [{ label: "Refunded before the payout", amount: -refunded }] : []),
        ...(disputed > 0 ? [{ label: "Lost in a dispute before the payout", amount: -disputed }] : []),
        ...(disputed < 0 ? [{ label: "Won back by an appeal before the payout", amount: -disputed }] : []),
      ]
    : [];
  const outside = payout.outside > 0 ? [{ label: "Paid outside the payment provider", amount: payout.outside }] : [];
  const again =
    reversalId === null
      ? "Share returned after a dispute was won by an appeal,"
      : `Reversed payout ${payout.outside > 0 ? "paid" : "sent"} again,`;
  const what = isFirst ? "Payout" : again;
  const label = `${what} for booking ${booking.number}, ${booking.promoterName}`;
  return draftOf(posting, around, platformToArtist(posting, around), {
    ...taxed(payout.amount, noTax),
    kind: "payout_statement",
    causeKey: payoutCause(payout),
    paymentId: null,
    occurredAt: payout.paidAt,
    details: {
      reference: null,
      lines: [{ label, amount: payout.amount }],
      figures: [...figures, ...outside],
      ...(payout.sent ? { sent: payout.sent } : {}),
    },
  });
}

/** Documents a deduction from the payment account. Statements and reversals of a booking add up to what the artist was paid. */
function payoutReversal(posting: DuePosting, around: Surroundings): Composed {
  const { payout, clearing: amount, booking, kind } = posting;
  const statement = payout && around.find(payoutCause(payout));
  if (!statement) return "wait";
  const { owedAgain, outside } = payout;
  const again = owedAgain === amount ? "It" : `${formatMoneyExact(owedAgain, posting.currency)} of it`;
  const returned = `It was reversed at the payment provider.${owedAgain > 0 ? ` ${again} is owed again.` : ""}`;
  const what = outside > 0 ? "Paid back outside the payment provider" : "Deducted";
  return draftOf(posting, around, statement, {
    gross: -amount,
    tax: 0,
    taxLabel: noTax.label,
    taxBps: noTax.bps,
    kind: "payout_reversal",
    correctsId: statement.id,
    paymentId: null,
    details: {
      reference: null,
      lines: [{ label: `${what} for booking ${booking.number}, ${booking.promoterName}`, amount: -amount }],
      corrects: correctedDocument(statement),
      reason: kind === "payout_returned" ? returned : posting.refundReason,
      ...(payout.sent ? { sent: payout.sent } : {}),
    },
  });
}

function creditNote(
  posting: DuePosting,
  around: Surroundings,
  originalCause: string,
  credit: { amount: number; label: string },
): Composed {
  const original = around.find(originalCause);
  return original ? creditNoteOf(posting, around, original, credit) : "wait";
}

function creditNoteOf(
  posting: DuePosting,
  around: Surroundings,
  original: Original,
  { amount, label }: { amount: number; label: string },
): Draft {
  const before = { credited: original.credited, tax: original.creditedTax };
  return draftOf(posting, around, original, {
    correctsId: original.id,
    gross: -amount,
    tax: creditedTax({ gross: original.gross, tax: original.tax, bps: original.taxBps }, before, amount),
    taxLabel: original.taxLabel,
    taxBps: original.taxBps,
    kind: "credit_note",
    details: {
      lines: [{ label, amount: -amount }],
      corrects: correctedDocument(original),
      reason: posting.refundReason,
    },
  });
}

const correctedDocument = ({ number, kind, issuedOn }: Original) => ({ number, name: documentNames[kind], issuedOn });

/** Corrects the credit note of a refund that was returned, or is due again after an appeal, as far as it is. */
function undoneRefund(posting: DuePosting, around: Surroundings): Composed {
  const note = around.find(creditNoteCause(posting));
  const receiptOfCharge = around.find(correctedCause(posting));
  if (!note || !receiptOfCharge) return "wait";
  const amount = -posting.refunded;
  const end = posting.cause.includes("reopened") ? "is due again" : "did not arrive";
  const label = `The refund of ${formatMoneyExact(amount, posting.currency)} ${end}`;
  const tax = amount === -note.gross ? -note.tax : restoredTax(receiptOfCharge, amount);
  return correction(posting, around, { note, amount, tax, label });
}

const restoredTax = ({ gross, tax, taxBps: bps, credited, creditedTax: before }: Original, amount: number): number =>
  creditedTax({ gross, tax, bps }, { credited, tax: before }, -amount);

/** Corrects the credit note of commission that a lost dispute had taken, as far as it came back. The invoice is unchanged. */
function regainedCommission(posting: DuePosting, around: Surroundings): Composed {
  const note = around.find(creditNoteCause(posting));
  const invoice = around.find(correctedCause(posting));
  if (!note || !invoice) return "wait";
  return correction(posting, around, {
    note,
    amount: posting.commission,
    tax: restoredTax(invoice, posting.commission),
    label: `Commission for booking ${posting.booking.number}, won back by an appeal`,
  });
}

function correction(
  posting: DuePosting,
  around: Surroundings,
  { note, amount, tax, label }: { note: Original; amount: number; tax: number; label: string },
): Draft {
  return draftOf(posting, around, note, {
    correctsId: note.id,
    gross: amount,
    tax: tax === 0 ? 0 : tax,
    taxLabel: note.taxLabel,
    taxBps: note.taxBps,
    kind: "correction",
    details: { lines: [{ label, amount }], corrects: correctedDocument(note) },
  });
}
