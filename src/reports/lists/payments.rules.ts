/** What the admin's payment search understands. Pure. */

const amountShape = /^(?:[a-z]{3} ?|[$€£] ?)?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{2}))?$/i;

/** Returns the minor units of an amount as people write it (`1,125.00`, `1125`, `$1,125`); null for any other text. */
export function amountOf(text: string): number | null {
  const [, whole, cents = "00"] = amountShape.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const amount = Number(whole.replaceAll(",", "") + cents);
  return amount <= 2_147_483_647 ? amount : null;
}
