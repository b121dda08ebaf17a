/** Rules of receipts, invoices and credit notes (issue 11, point 9). Pure. Amounts are minor units; what is given back is negative. */
import { includedTax } from "#platform/money.rules.ts";

/**
 * receipt: a payment arrived. commission_invoice: the platform's commission of a released booking. payout_statement: what an artist was
 * paid. credit_note: a receipt or a commission invoice is taken back, whole or in part. correction: a refund that had left came back, or commission that a dispute had taken.
 */
export const documentKinds = [
  "receipt",
  "commission_invoice",
  "payout_statement",
  "credit_note",
  "correction",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documentNames: Readonly<Record<DocumentKind, string>> = {
  receipt: "Receipt",
  commission_invoice: "Commission invoice",
  payout_statement: "Payout statement",
  credit_note: "Credit note",
  correction: "Correction of a credit note",
};

/** A seller or buyer as it stood when the document was issued; empty texts are left out. */
export type Party = Readonly<{ name: string; legalName: string; address: string; taxId: string; email: string }>;

/** A tax that prices include, in basis points; a rate of 0 is no tax. */
export type Tax = Readonly<{ label: string; bps: number }>;

type Line = Readonly<{ label: string; amount: number }>;

/** Everything that is printed on a document beside its number and its sums. */
export type DocumentDetails = Readonly<{
  /** Days in the platform's time zone, YYYY-MM-DD. */
  issuedOn: string;
  occurredOn: string;
  seller: Party;
  buyer: Party;
  /** The artist plays for the promoter; the platform took the money. Named on what an artist sells. */
  collectedBy: string | null;
  booking: Readonly<{ number: string; artist: string; promoter: string; eventDate: string; venue: string }>;
  lines: readonly Line[];
  /** Figures that explain the sum and are not added to it. */
  figures: readonly Line[];
  corrects: Readonly<{ number: string; name: string; issuedOn: string }> | null;
  reason: string | null;
  reference: string | null;
  /** What was sent, where the payment provider converted it to another currency. */
  sent?: Readonly<{ amount: number; currency: string }>;
}>;

/** The number of a document: the seller's prefix and a counter that has no gaps. */
export const documentNumber = (prefix: string, sequence: number): string =>
  `${prefix}-${String(sequence).padStart(5, "0")}`;

/** No label or no rate: no line of tax. */
export const noTax: Tax = { label: "", bps: 0 };

export const taxOf = ({ taxLabel, taxBps }: { taxLabel: string; taxBps: number }, isIncluded: boolean): Tax =>
  isIncluded && taxBps > 0 && taxLabel !== "" ? { label: taxLabel, bps: taxBps } : noTax;

/** Returns the tax of the next credit note, negative: the tax of all credited so far, less earlier notes, so all notes together take back exactly it. */
export function creditedTax(
  original: Readonly<{ gross: number; tax: number; bps: number }>,
  before: Readonly<{ credited: number; tax: number }>,
  amount: number,
): number {
  const credited = before.credited + amount;
  const tax = credited >= original.gross ? original.tax : includedTax(credited, original.bps);
  return before.tax - tax === 0 ? 0 : before.tax - tax;
}
