/**
 * The rules of money, pure. Amounts are integer minor units (cents) of one two-decimal currency; nothing is rounded
 * twice and no stored amount is computed again (safety, section d).
 */

/** The largest amount a provider takes: eight digits of minor units. */
export const maxAmount = 99_999_999;

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

/** The word is a currency that we take. */
export const isCurrency = (word: string): word is Currency => Object.hasOwn(currencies, word);

/** The number is an amount of money: a whole number of minor units from 0 to the cap. */
export const isAmount = (amount: number) => Number.isInteger(amount) && amount >= 0 && amount <= maxAmount;

function requireAmount(amount: number): void {
  if (!isAmount(amount)) throw new RangeError(`${amount} is not an amount in minor units`);
}

/** Multiplies by numerator / denominator and rounds half up: the only place where money is rounded. */
function part(amount: number, numerator: number, denominator: number): number {
  requireAmount(amount);
  if (!Number.isInteger(numerator) || numerator < 0 || numerator > denominator) {
    throw new RangeError(`${numerator}/${denominator} is not a share`);
  }
  return Math.floor((2 * amount * numerator + denominator) / (2 * denominator));
}

/**
 * Splits a price into deposit and balance, whole percent, half up. A part that is too small for the provider is folded
 * into the other: the whole price is then the deposit.
 */
export function splitPrice(
  price: number,
  depositPercent: number,
  currency: Currency,
): { deposit: number; balance: number } {
  const deposit = part(price, depositPercent, 100);
  const balance = price - deposit;
  const tooSmall = (amount: number) => amount > 0 && amount < currencies[currency].least;
  return tooSmall(deposit) || tooSmall(balance) ? { deposit: price, balance: 0 } : { deposit, balance };
}

/** The price that a card can pay: one below the provider's least is asked for by hand, as if there were none ("on request"). */
export const chargeable = (price: number, currency: Currency): number =>
  price < currencies[currency].least ? 0 : price;

/** Splits what is kept into the platform's commission (basis points, half up) and the artist's share. */
export function splitCommission(kept: number, commissionBps: number): { commission: number; artist: number } {
  const commission = part(kept, commissionBps, 10_000);
  return { commission, artist: kept - commission };
}

/** Shares an amount out by weights, by largest remainder (ties: the earlier one), so that the shares add up exactly. */
export function shareOut(amount: number, weights: readonly number[]): number[] {
  requireAmount(amount);
  for (const weight of weights) requireAmount(weight);
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) throw new RangeError("an amount cannot be shared out without weights");
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const shares = exact.map((value) => Number(value / total));
  let rest = amount - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.map((value, index) => ({ index, remainder: value % total }));
  byRemainder.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder) {
    if (rest === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    rest -= 1;
  }
  return shares;
}

/** The fee that the demo's provider takes of a charge: 2.9 % and 30 minor units. */
export const demoFee = (amount: number): number => part(amount, 29, 1_000) + 30;

/** What a payment pays for. */
export const paymentKinds = ["deposit", "balance"] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** The statuses people see, with the word and the paper of the badge. */
export const paymentStatuses = {
  requires_payment_method: { label: "Pending Payment", tone: "gold", done: 50 },
  succeeded: { label: "Succeeded", tone: "green", done: 100 },
  failed: { label: "Failed", tone: "cherry", done: 0 },
  refunded: { label: "Refunded", tone: "buff", done: 100 },
} as const;
export type PaymentStatus = keyof typeof paymentStatuses;

/** The badge of a payment status; other values are displayed as they are. */
export const paymentLabel = (status: string): string =>
  Object.hasOwn(paymentStatuses, status) ? paymentStatuses[status as PaymentStatus].label : status;

/**
 * The life of an intent: reserved (nothing can be paid yet), open (a checkout waits), paid, closed (ended or given back).
 * Money is a fact in every state; closed leads to paid when it arrives late, and to closed again when it is given back.
 */
export const checkoutStates = {
  reserved: { open: "open", pay: "paid", end: "closed" },
  open: { pay: "paid", end: "closed" },
  paid: { giveBack: "closed" },
  closed: { pay: "paid", refundFailed: "paid" },
} as const satisfies Record<string, Record<string, string>>;
export type CheckoutState = keyof typeof checkoutStates;
export type CheckoutStep = "open" | "pay" | "end" | "giveBack" | "refundFailed";

/** Where a step leads from a state, or undefined when the state does not know it. */
export function nextCheckoutState(state: CheckoutState, step: CheckoutStep): CheckoutState | undefined {
  const steps: Partial<Record<CheckoutStep, CheckoutState>> = checkoutStates[state];
  return steps[step];
}

/** Minutes a checkout holds a date as screens say it, and minutes until the provider ends it (its least is 30). */
export const checkoutMinutes = { shown: 30, expires: 31 } as const;
/** A provider forgets idempotency keys after 24 hours: an older intent is looked up before anything is sent again. */
export const lookUpAfterHours = 20;
/** Webhooks older or more in the future than this are refused. */
export const webhookToleranceSeconds = 300;

/** Published when a provider has taken the money of a payment. */
export type PaymentSucceeded = {
  paymentId: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  paidAt: string;
};
/** Published when a bank declines; the checkout may still be open for another try. */
export type PaymentFailed = {
  paymentId: string;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  reason: string;
};
/** Published when a checkout ended without money and the provider has confirmed that it cannot be paid any more. */
export type CheckoutEnded = { paymentId: string; bookingId: string; kind: PaymentKind };
/** Published when a refund has reached the payer; amount is that of this refund. */
export type RefundSucceeded = { refundId: string; paymentId: string; bookingId: string; amount: number };
/** Why money is not kept: it is put aside and goes back in full. */
export const unappliedReasons = [
  "no such payment",
  "the other mode of the provider",
  "another currency",
  "another amount",
  "paid twice",
  "paid for a checkout that was replaced",
] as const;
export type UnappliedReason = (typeof unappliedReasons)[number];
/** Published when money came that is not kept. Payment and booking are null when it names none of ours. */
export type UnappliedPayment = {
  providerPayment: string;
  paymentId: string | null;
  bookingId: string | null;
  amount: number;
  currency: string;
  reason: UnappliedReason;
};
/** The events of this room by their topic. */
export type PaymentEvents = {
  "payment.succeeded": PaymentSucceeded;
  "payment.failed": PaymentFailed;
  "checkout.ended": CheckoutEnded;
  "refund.succeeded": RefundSucceeded;
  "payment.unapplied": UnappliedPayment;
};
