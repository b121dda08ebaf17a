/** Amounts as people read them. An amount is cents beside its currency. */

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, digits: 0 | 2): Intl.NumberFormat {
  const key = `${currency}${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, made);
  return made;
}

/** "$1,500.00": always two decimals, where a cent can matter. */
export const money = (cents: number, currency: string): string => formatOf(currency, 2).format(cents / 100);

/** "$1,500", and "$1,500.50" when the cents are not zero (design, section 12). */
export const formatMoney = (cents: number, currency: string): string =>
  formatOf(currency, cents % 100 === 0 ? 0 : 2).format(cents / 100);
