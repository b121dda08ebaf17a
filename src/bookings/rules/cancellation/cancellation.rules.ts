/** Price and cancellation terms of a booking. They are stored with the request and never change. */

import { type Currency, splitPrice } from "#payments/rules.ts";
import { bpsHalfUp } from "#platform/money.rules.ts";
import { dayIn, daysBetween } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { policyNames, type PolicyName } from "#settings/policy-names.rules.ts";

export { policyNames, type PolicyName };

/** The price that the promoter agrees to pay, in cents of `currency`. No fee is added: the commission is taken from the artist's part. */
export type Quote = Readonly<{
  fee_cents: number;
  currency: Currency;
  deposit_percent: number;
  deposit_cents: number;
  balance_cents: number;
  commission_bps: number;
}>;

export function quoteFor(
  fee: number,
  terms: { depositPercent: number; currency: Currency; commissionBps: number },
): Quote {
  const { deposit, balance } = splitPrice(fee, terms.depositPercent, terms.currency);
  return {
    fee_cents: fee,
    currency: terms.currency,
    deposit_percent: terms.depositPercent,
    deposit_cents: deposit,
    balance_cents: balance,
    commission_bps: terms.commissionBps,
  };
}

/** One step of a policy: from `daysBeforeAtLeast` local days before the event, the artist's shares in basis points. */
export type PolicyStep = Readonly<{
  daysBeforeAtLeast: number;
  depositBps: number;
  balanceBps: number;
  feeBps: number;
}>;

/** A cancellation policy as data. `coolingOff` refunds everything within the hours after the payment, if the event is far enough ahead. */
export type CancellationPolicy = Readonly<{
  name: PolicyName;
  version: 1;
  coolingOff: Readonly<{ hours: number; unlessDaysBeforeBelow: number }>;
  /** In descending order of days. The first reached step applies, and the last one has 0 days. */
  steps: readonly PolicyStep[];
}>;

const coolingOff = { hours: 48, unlessDaysBeforeBelow: 14 } as const;
const step = (daysBeforeAtLeast: number, retained: Partial<Omit<PolicyStep, "daysBeforeAtLeast">>): PolicyStep => ({
  daysBeforeAtLeast,
  depositBps: 0,
  balanceBps: 0,
  feeBps: 0,
  ...retained,
});

/** The standard policies, copied into each booking. The shares apply if the promoter cancels. An artist who cancels gets nothing. */
export const policies = {
  flexible: {
    name: "flexible",
    version: 1,
    coolingOff,
    steps: [step(31, {}), step(7, { depositBps: 10_000 }), step(0, { feeBps: 5_000 })],
  },
  standard: {
    name: "standard",
    version: 1,
    coolingOff,
    steps: [
      step(29, { depositBps: 10_000 }),
      step(14, { depositBps: 10_000, balanceBps: 5_000 }),
      step(0, { depositBps: 10_000, balanceBps: 10_000 }),
    ],
  },
  strict: { name: "strict", version: 1, coolingOff, steps: [step(0, { feeBps: 10_000 })] },
} as const satisfies Record<string, Omit<CancellationPolicy, "name"> & { name: string }>;

export const policyNamed = (name: string): CancellationPolicy =>
  policies[policyNames.find((one) => one === name) ?? "standard"];

const feeAt = (step: PolicyStep, money: { fee_cents: number; deposit_cents: number; balance_cents: number }): number =>
  bpsHalfUp(money.deposit_cents, step.depositBps) +
  bpsHalfUp(money.balance_cents, step.balanceBps) +
  bpsHalfUp(money.fee_cents, step.feeBps);

/** Returns the cancellation fee for the artist, in cents, if the promoter cancels. It is limited to the paid amount, and never decreases towards the event. */
export function cancellationFee(
  policy: CancellationPolicy,
  money: { fee_cents: number; deposit_cents: number; balance_cents: number; paid: number },
  when: { daysBefore: number; hoursSincePaid: number },
): number {
  const cooling = policy.coolingOff;
  if (when.hoursSincePaid < cooling.hours && when.daysBefore >= cooling.unlessDaysBeforeBelow) return 0;
  const reached = policy.steps.findIndex((one) => when.daysBefore >= one.daysBeforeAtLeast);
  const passed = reached < 0 ? policy.steps : policy.steps.slice(0, reached + 1);
  // An earlier step can exceed a later one, if the deposit is more than half of the fee. The highest reached step applies.
  const owed = Math.max(0, ...passed.map((step) => feeAt(step, money)));
  return Math.min(money.paid, owed);
}

/** Returns how near the event is and how long ago the deposit was paid, as the terms count them. */
export const termsTimeOf = (
  booking: { time_zone: string; event_date: string; deposit_paid_at: Date | null },
  at: Date,
): { daysBefore: number; hoursSincePaid: number } => ({
  daysBefore: daysBetween(dayIn(booking.time_zone, at), booking.event_date),
  hoursSincePaid: (at.getTime() - (booking.deposit_paid_at ?? at).getTime()) / hourMs,
});

/** The side whose decision or breach ends a booking. Only the promoter's fault costs the promoter money. */
export type CancelFault = "promoter" | "artist" | "nobody";

/** The input of the division, in cents. `held` is the paid amount less refunds. */
type CancellationInput = Readonly<{
  policy: CancellationPolicy;
  fee_cents: number;
  deposit_cents: number;
  balance_cents: number;
  commission_bps: number;
  held: number;
}>;

/** The division of the held money, in cents. The three parts add up to it. */
export type Division = Readonly<{ refund: number; artist: number; commission: number }>;

/** Returns the balance that was paid under a withdrawn signature, in cents. It is always refunded: without a signed contract only the deposit is at stake. */
export const unsignedBalance = (
  booking: { status: string; balance_cents: number; balance_paid_at: Date | null },
  held: number,
): number =>
  booking.status === "contract_sent" && booking.balance_paid_at !== null ? Math.min(held, booking.balance_cents) : 0;

/** Divides the held money. `daysBefore` counts local days of the event's zone, `hoursSincePaid` hours since the deposit. */
export function divisionOf(
  input: CancellationInput,
  fault: CancelFault,
  when: { daysBefore: number; hoursSincePaid: number },
): Division {
  const { held, policy, ...money } = input;
  const fee = fault === "promoter" ? cancellationFee(policy, { ...money, paid: held }, when) : 0;
  const commission = bpsHalfUp(fee, input.commission_bps);
  return { refund: held - fee, artist: fee - commission, commission };
}

const feePayableHours = 48;

export const feePayableFrom = (canceledAt: Date): Date => new Date(canceledAt.getTime() + feePayableHours * hourMs);
