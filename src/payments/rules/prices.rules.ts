/** Prices and their parts, pure. Amounts are integer minor units. No amount is rounded twice. */

import { shareHalfUp, bpsHalfUp } from "#platform/money.rules.ts";
import { type Currency, currencies } from "./currencies.rules.ts";

/** Splits a price into deposit and balance, whole percent, half up. If a part is below the provider's minimum, the deposit is the whole price. */
export function splitPrice(price: number, depositPercent: number, currency: Currency) {
  const deposit = shareHalfUp(price, depositPercent, 100);
  const balance = price - deposit;
  const tooSmall = (amount: number) => amount > 0 && amount < currencies[currency].min;
  return tooSmall(deposit) || tooSmall(balance) ? { deposit: price, balance: 0 } : { deposit, balance };
}

/** Returns the price, or 0 if it is below the provider's minimum. 0 means "on request" and is paid outside the platform. */
export const chargeable = (price: number, currency: Currency): number => (price < currencies[currency].min ? 0 : price);

/** Splits the retained amount into the platform's commission (basis points, half up) and the artist's share. */
export function splitCommission(retained: number, commissionBps: number): { commission: number; artist: number } {
  const commission = bpsHalfUp(retained, commissionBps);
  return { commission, artist: retained - commission };
}

/** The demo provider's fee for a charge: 2.9% and 30 minor units. */
export const demoFee = (amount: number): number => shareHalfUp(amount, 29, 1_000) + 30;
