/** Pure rules of receipts, invoices and credit notes (issue 11, point 9). Amounts are minor units. Returned amounts are negative. */

import { includedTax } from "#platform/money.rules.ts";

export const documentKinds = [
  "receipt", // a payment arrived
  "commission_invoice", // the platform's commission of a released booking
  "payout_statement", // what an artist was paid
  "payout_reversal", // what was deducted from the payment account afterwards
  "credit_note", // reverses a receipt or commission invoice, in full or in part
  "correction", // a refund was returned, or commission that a dispute had taken
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documentNames: Readonly<Record<DocumentKind, string>> = {
  receipt: "Receipt",
  commission_invoice: "Commission invoice",
  payout_statement: "Payout statement",
  payout_reversal: "Payout reversal",
  credit_note: "Credit note",
  correction: "Correction of a credit note",
};

/** A seller or buyer at the time of issue. Empty texts are not printed. */
export type Party = Readonly<{ name: string; legalName: string; address: string; taxId: string; email: string }>;

/** A tax included in prices, in basis points. A rate of 0 is no tax. */
export type Tax = Readonly<{ label: string; bps: number }>;

type Line = Readonly<{ label: string; amount: number }>;

export type DocumentDetails = Readonly<{
  /** Days in the platform's time zone, YYYY-MM-DD. */
  issuedOn: string;
  occurredOn: string;
  /** That time zone. Documents from before it was stored have none. */
  timeZone?: string;
  seller: Party;
  buyer: Party;
  /** The platform, which collected the money. Printed on what an artist sells to a promoter. */
  collectedBy: string | null;
  booking: Readonly<{ number: string; artist: string; promoter: string; eventDate: string; venue: string }>;
  lines: readonly Line[];
  /** Amounts that explain the sum and are not added to it. */
  figures: readonly Line[];
  corrects: Readonly<{ number: string; name: string; issuedOn: string }> | null;
  reason: string | null;
  reference: string | null;
  /** The amount sent, if the payment provider converted it to another currency. */
  sent?: Readonly<{ amount: number; currency: string }>;
}>;

/** Returns "PF-00012" for the platform, "A-7-00012" for an artist. The database gives each seller its prefix (migration 0980). Numbers never restart. */
export const documentNumber = (prefix: string, sequence: number): string =>
  `${prefix}-${String(sequence).padStart(5, "0")}`;

export const noTax: Tax = { label: "", bps: 0 };

export const taxOf = ({ taxLabel, taxBps }: { taxLabel: string; taxBps: number }, isIncluded: boolean): Tax =>
  isIncluded && taxBps > 0 && taxLabel !== "" ? { label: taxLabel, bps: taxBps } : noTax;

/** Returns the negative tax of the next credit note: the tax of the total credited so far less earlier notes. All notes together match the tax. */
export function creditedTax(
  original: Readonly<{ gross: number; tax: number; bps: number }>,
  before: Readonly<{ credited: number; tax: number }>,
  amount: number,
): number {
  const credited = before.credited + amount;
  const tax = credited >= original.gross ? original.tax : includedTax(credited, original.bps);
  return before.tax - tax === 0 ? 0 : before.tax - tax;
}
