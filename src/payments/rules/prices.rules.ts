/** Prices and their parts, pure. Amounts are integer minor units; nothing is rounded twice (safety, section d). */
import { shareOf, shareOfBps } from "#platform/money.rules.ts";

/** Currencies we take, all of two decimals, with the least amount a card provider charges in each. */
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

/** Splits a price into deposit and balance, whole percent, half up. If a part is too small for the provider, the deposit is the whole price. */
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

/** The price that a card can pay: one below the provider's minimum is settled by hand, as if there were none ("on request"). */
export const chargeable = (price: number, currency: Currency): number =>
  price < currencies[currency].least ? 0 : price;

/** Splits what is kept into the platform's commission (basis points, half up) and the artist's share. */
export function splitCommission(kept: number, commissionBps: number): { commission: number; artist: number } {
  const commission = shareOfBps(kept, commissionBps);
  return { commission, artist: kept - commission };
}

/** The fee that the demo's provider takes of a charge: 2.9 % and 30 minor units. */
export const demoFee = (amount: number): number => shareOf(amount, 29, 1_000) + 30;
