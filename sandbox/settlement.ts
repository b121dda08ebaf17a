/** The settlement currencies of the sandbox. Payments in other currencies are converted to the default one at fixed rates. */

import type Stripe from "stripe";
import { type Currency, currencies, isCurrency } from "#payments/rules.ts";

/** US dollars for one unit of a currency. */
const dollars: Readonly<Record<Currency, number>> = {
  usd: 1,
  eur: 1.08,
  gbp: 1.27,
  cad: 0.73,
  aud: 0.66,
  nzd: 0.6,
  chf: 1.12,
  sek: 0.095,
  nok: 0.093,
  dkk: 0.145,
  pln: 0.25,
  mxn: 0.055,
  brl: 0.18,
  sgd: 0.75,
  hkd: 0.128,
};

/** A refund or a dispute is converted on a later day, at a rate that is worse for the account by this factor. */
const laterFactor = 1.01;

export const settlementCurrencies = (codes: readonly string[]): readonly Currency[] =>
  codes.length > 0 ? codes.filter(isCurrency) : (Object.keys(currencies) as Currency[]);

export const settlesIn = (received: readonly Currency[], currency: string): string =>
  received.some((one) => one === currency) ? currency : (received[0] ?? currency);

export function converted(balance: Stripe.BalanceTransaction, to: string): Stripe.BalanceTransaction {
  if (balance.currency === to || !isCurrency(balance.currency) || !isCurrency(to)) return balance;
  const rate = (dollars[balance.currency] / dollars[to]) * (balance.type === "charge" ? 1 : laterFactor);
  const inCents = (amount: number) => Math.sign(amount) * Math.round(Math.abs(amount) * rate);
  const [amount, fee] = [inCents(balance.amount), inCents(balance.fee)];
  return {
    ...balance,
    amount,
    fee,
    net: amount - fee,
    currency: to,
    exchange_rate: rate,
    fee_details: balance.fee_details.map((detail) => ({ ...detail, amount: fee, currency: to })),
  };
}
