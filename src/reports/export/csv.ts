export type Cell = string | number | null | Amount;
type Amount = Readonly<{ decimal: string }>;

/** The first characters of a spreadsheet formula, including full-width ones. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
/** Includes semicolons, which some spreadsheets use as separators. */
const needsQuotes = /[",;\r\n\t]/;

export const byteOrderMark = "\uFEFF";

/** Returns one line. A text that looks like a formula gets a leading '. Numbers are unchanged. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(",")}\r\n`;

function cellText(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return value.decimal;
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns minor units with two decimals: 150050 becomes 1500.50. Every currency of the product has two. */
export const decimal = (cents: number): Amount => ({ decimal: (cents / 100).toFixed(2) });
