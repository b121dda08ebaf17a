/** Money for server and browser. Amounts are integer minor units, and all supported currencies have two decimals. They are multiplied, rounded and divided by 100 only here. */

/** The largest amount in minor units: the provider accepts eight digits. Products stay exact in a JS number. */
export const maxAmount = 99_999_999;

export const isAmount = (amount: number): boolean => Number.isInteger(amount) && amount >= 0 && amount <= maxAmount;

/** Throws RangeError if the number is not an amount in minor units. */
export function requireAmount(amount: number): void {
  if (!isAmount(amount)) throw new RangeError(`${amount} is not an amount in minor units`);
}

/** Returns `numerator` of `denominator` of an amount in cents, rounded half up (25 of 100 is 25%). Throws RangeError for invalid values. All rounding happens here. */
export function shareHalfUp(amount: number, numerator: number, denominator: number): number {
  requireAmount(amount);
  if (!Number.isInteger(numerator) || !Number.isInteger(denominator) || numerator < 0 || numerator > denominator)
    throw new RangeError(`${numerator}/${denominator} is not a share`);
  if (denominator < 1 || denominator > 10_000) throw new RangeError(`${denominator} parts are too many or none`);
  return Math.floor((2 * amount * numerator + denominator) / (2 * denominator));
}

/** Returns a share in basis points (10,000 = the whole), rounded half up. */
export const bpsHalfUp = (amount: number, bps: number): number => shareHalfUp(amount, bps, 10_000);

/** Returns the included tax, rounded half up: at 2,500 basis points, 12,500 cents include 2,500. Throws RangeError for invalid amounts and rates. */
export function includedTax(amount: number, bps: number): number {
  requireAmount(amount);
  if (!Number.isInteger(bps) || bps < 0 || bps > 10_000) throw new RangeError(`${bps} is not a rate in basis points`);
  return Math.floor((2 * amount * bps + 10_000 + bps) / (2 * (10_000 + bps)));
}

/** Splits an amount over parts by the largest remainder: whole minor units that add up to `total`, none above its part, a tie to the earlier part. Throws RangeError for invalid parts, and for a total above their sum. */
export function splitByLargestRemainder(total: number, parts: readonly number[]): number[] {
  requireAmount(total);
  for (const part of parts) requireAmount(part);
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (total > whole) throw new RangeError(`${total} is more than the parts have together`);
  if (whole === 0) return parts.map(() => 0);
  const exact = parts.map((part) => BigInt(total) * BigInt(part));
  const shares = exact.map((product) => Number(product / BigInt(whole)));
  const byRemainder = exact
    .map((product, index) => ({ index, remainder: product % BigInt(whole) }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** Takes an amount from parts, the last one first: whole minor units that add up to `total`, none above its part. Throws RangeError for invalid parts, and for a total above their sum. */
export function takeFromLast(total: number, parts: readonly number[]): number[] {
  requireAmount(total);
  for (const part of parts) requireAmount(part);
  let left = total;
  const taken = parts.toReversed().map((part) => {
    const share = Math.min(part, left);
    left -= share;
    return share;
  });
  if (left > 0) throw new RangeError(`${total} is more than the parts have together`);
  return taken.toReversed();
}

export const totalLeft = (parts: readonly Readonly<{ left: number }>[]): number =>
  parts.reduce((sum, { left }) => sum + left, 0);

/** Splits an amount over parts by what is `left` of each. Returns the parts that get a `share`. */
export function splitOver<Part extends Readonly<{ left: number }>>(
  total: number,
  parts: readonly Part[],
  split: typeof splitByLargestRemainder | typeof takeFromLast = splitByLargestRemainder,
): (Part & { share: number })[] {
  const shares = split(
    total,
    parts.map(({ left }) => left),
  );
  return parts.map((part, index) => ({ ...part, share: shares[index] ?? 0 })).filter(({ share }) => share > 0);
}

/** Returns what `part` of `whole` is of `settled`, rounded down to a minor unit. Throws RangeError for a part above the whole. */
export function convertPart(part: number, whole: number, settled: number): number {
  if (![part, whole, settled].every((one) => Number.isSafeInteger(one) && one >= 0) || part > whole || whole === 0)
    throw new RangeError(`${part} of ${whole} is not a part of an amount`);
  return Number((BigInt(settled) * BigInt(part)) / BigInt(whole));
}

export const amountIn = (sums: readonly Readonly<{ currency: string; amount: number }>[], currency: string): number =>
  sums.find((sum) => sum.currency === currency)?.amount ?? 0;

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, digits: 0 | 2): Intl.NumberFormat {
  const key = `${currency} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const made = new Intl.NumberFormat("en-US", { style: "currency", currency: currency.toUpperCase(), ...decimals });
  formats.set(key, made);
  return made;
}

/** Formats "$1,500", and "$1,500.50" if the cents are not zero, for screens and emails. */
export const formatMoney = (cents: number, currency: string): string =>
  formatOf(currency, cents % 100 === 0 ? 0 : 2).format(cents / 100);

export const formatPercent = (percent: number): string => `${percent}%`;

/** Formats "$1,500.00", always with two decimals: on promoter payments, admin payments and artist payouts. */
export const formatMoneyExact = (cents: number, currency: string): string => formatOf(currency, 2).format(cents / 100);
