/** Writes rows as CSV (RFC 4180) that a spreadsheet opens without running anything. */

/** A value of a cell: dates are written as instants, null as nothing, an amount as `decimal` makes it. */
export type Cell = string | number | Date | null | Amount;
type Amount = Readonly<{ decimal: string }>;

/** What a spreadsheet would take for the beginning of a formula, also in full width. */
const formulaStart = /^[=+\-@\t\r＝＋－＠]/;
/** Some spreadsheets separate cells by semicolons. */
const needsQuotes = /[",;\r\n\t]/;

/** A mark that tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = "\uFEFF";

/** One line. A text that would be a formula gets a ' before it; numbers stay numbers. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return value.decimal;
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An amount of minor units with two decimals: 150050 becomes 1500.50. Every currency of the product has two. */
export const decimal = (cents: number): Amount => ({ decimal: (cents / 100).toFixed(2) });
