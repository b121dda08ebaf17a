/** The same document gives the same bytes, because its snapshot contains all printed data. */

import { makePdf, type PdfDocument } from "#contracts/index.ts";
import { formatMoneyExact, formatPercent } from "#platform/money.rules.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { type DocumentKind, documentNames, type Party } from "../rules.ts";
import type { StoredDocument } from "../views.ts";

const payoutNotes: Partial<Record<DocumentKind, string>> = {
  payout_statement: "This statement shows what was paid out. The platform's commission is invoiced separately.",
  payout_reversal:
    "This document shows what was deducted from the payment account after a payout. Commission that the platform returns is credited separately.",
};

function partyLines({ name, legalName, address, taxId, email }: Party): string[] {
  const known = legalName !== "" && legalName !== name;
  return [
    legalName || name,
    ...(known ? [name] : []),
    ...address.split("\n"),
    ...(taxId ? [`Tax ID: ${taxId}`] : []),
    email,
  ].filter((line) => line.trim() !== "");
}

export function drawDocument(document: StoredDocument): Promise<PdfDocument> {
  const { number, kind, currency, gross, tax, tax_label: label, tax_bps: bps, details } = document;
  const name = documentNames[kind];
  const code = currency.toUpperCase();
  const sum = (cents: number) => {
    const text = formatMoneyExact(cents, currency);
    return text.includes(code) ? text : `${text} ${code}`;
  };
  const foot = [`${name} ${number}, booking ${details.booking.number}`];
  return makePdf({ title: `${name} ${number}`, foot, hasMark: true }, (page) => {
    page.title(`${name} ${number}`);
    const zone = details.timeZone ? ` (${formatTimeZone(details.timeZone)})` : "";
    page.row("Date of issue", describeDay(details.issuedOn) + zone);
    page.row(kind === "receipt" ? "Paid on" : "Date of the transaction", describeDay(details.occurredOn) + zone);
    page.row("Booking", details.booking.number);
    if (details.corrects)
      page.row(
        `Corrects ${details.corrects.name.toLowerCase()} of ${describeDay(details.corrects.issuedOn)}`,
        details.corrects.number,
      );
    const { buyer, seller } = details;
    const payoutNote = payoutNotes[kind];
    const [first, second] = kind === "payout_reversal" ? [buyer, seller] : [seller, buyer];
    page.heading(payoutNote ? "From" : "Seller");
    for (const line of partyLines(first)) page.paragraph(line);
    if (details.collectedBy)
      page.paragraph(`Payments are collected by ${details.collectedBy} on behalf of the seller.`, { small: true });
    page.heading(payoutNote ? "To" : "Buyer");
    for (const line of partyLines(second)) page.paragraph(line);
    page.heading("Event");
    page.paragraph(
      `${details.booking.artist} for ${details.booking.promoter}, ${describeDay(details.booking.eventDate)}, ${details.booking.venue}`,
    );
    page.heading("Amount");
    for (const line of details.lines) page.row(line.label, sum(line.amount));
    if (tax !== 0) {
      page.row("Net", sum(gross - tax), { rule: true });
      page.row(`${label} ${formatPercent(bps / 100)}, included`, sum(tax));
    }
    page.row(totalLabel[kind], sum(gross), { bold: true, rule: true });
    if (details.sent)
      page.row(
        kind === "payout_reversal" ? "Deducted from the payment account as" : "Sent to the payment account as",
        formatMoneyExact(details.sent.amount, details.sent.currency),
      );
    if (details.figures.length > 0) {
      page.heading("Calculation");
      for (const figure of details.figures) page.row(figure.label, sum(figure.amount));
    }
    if (details.reason) page.paragraph(`Reason: ${details.reason}`);
    if (details.reference) page.paragraph(`Payment reference: ${details.reference}`, { small: true });
    if (payoutNote) page.paragraph(payoutNote, { small: true });
  });
}

const totalLabel = {
  receipt: "Paid",
  commission_invoice: "Total, deducted from the payout",
  payout_statement: "Paid out",
  payout_reversal: "Deducted",
  credit_note: "Credited",
  correction: "Total",
} as const;
