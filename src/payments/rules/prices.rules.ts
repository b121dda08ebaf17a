/** Prices and their parts, pure. Amounts are integer minor units. No amount is rounded twice (safety, section d). */
import { shareOf, shareOfBps } from "#platform/money.rules.ts";

/** Supported currencies, all with two decimals, and the provider's minimum charge in each (minor units). */
export const currencies = {
  usd: { least: 50 },
  eur: { least: 50 },
  gbp: { least: 30 },
  cad: { least: 50 },
  aud: { least: 50 },
  nzd: { least: 50 },
  chf: { least: 50 },
  sek: { least: 300 },
  nok: { least: 300 },
  dkk: { least: 250 },
  pln: { least: 200 },
  mxn: { least: 1000 },
  brl: { least: 50 },
  sgd: { least: 50 },
  hkd: { least: 400 },
} as const;

export type Currency = keyof typeof currencies;

export const defaultCurrency = "usd" satisfies Currency;

export const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code);

/** Splits a price into deposit and balance, whole percent, half up. If a part is below the provider's minimum, the deposit is the whole price. */
export function splitPrice(
  price: number,
  depositPercent: number,
  currency: Currency,
): { deposit: number; balance: number } {
  const deposit = shareOf(price, depositPercent, 100);
  const balance = price - deposit;
  const tooSmall = (amount: number) => amount > 0 && amount < currencies[currency].least;
  return tooSmall(deposit) || tooSmall(balance) ? { deposit: price, balance: 0 } : { deposit, balance };
}

/** Returns the price, or 0 if it is below the provider's minimum. 0 means "on request" and is paid by hand. */
export const chargeable = (price: number, currency: Currency): number =>
  price < currencies[currency].least ? 0 : price;

/** Splits the retained amount into the platform's commission (basis points, half up) and the artist's share. */
export function splitCommission(kept: number, commissionBps: number): { commission: number; artist: number } {
  const commission = shareOfBps(kept, commissionBps);
  return { commission, artist: kept - commission };
}

/** The demo provider's fee for a charge: 2.9 % and 30 minor units. */
export const demoFee = (amount: number): number => shareOf(amount, 29, 1_000) + 30;
