/** Price and cancellation terms of a booking: a snapshot made when the request is made, and what follows from it. */
import { shareOfBps } from "#platform/money.rules.ts";
import { type Currency, splitPrice } from "#payments/rules.ts";
import { policyNames, type PolicyName } from "#settings/policy-names.rules.ts";

export { policyNames, type PolicyName };

/** What the promoter agrees to pay, in minor units of `currency`. Fee on top: none; the commission comes out of the artist's part. */
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

/** One step of a policy: from `days` local days before the event on, the artist keeps these shares, in basis points. */
export type PolicyStep = Readonly<{
  daysBeforeAtLeast: number;
  depositBps: number;
  balanceBps: number;
  feeBps: number;
}>;

/** A cancellation policy as data. `coolingOff` gives everything back within the hours after paying, if the event is far enough away. */
export type CancellationPolicy = Readonly<{
  name: PolicyName;
  version: 1;
  coolingOff: Readonly<{ hours: number; unlessDaysBeforeBelow: number }>;
  /** In falling order of days; the first step whose limit is reached applies. The last one reaches down to 0. */
  steps: readonly PolicyStep[];
}>;

const coolingOff = { hours: 48, unlessDaysBeforeBelow: 14 } as const;
const step = (daysBeforeAtLeast: number, keeps: Partial<Omit<PolicyStep, "daysBeforeAtLeast">>): PolicyStep => ({
  daysBeforeAtLeast,
  depositBps: 0,
  balanceBps: 0,
  feeBps: 0,
  ...keeps,
});

/** The policies that ship, copied into each booking. Amounts a promoter loses by canceling; an artist who cancels keeps nothing. */
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

const keptAt = (step: PolicyStep, money: { fee_cents: number; deposit_cents: number; balance_cents: number }): number =>
  shareOfBps(money.deposit_cents, step.depositBps) +
  shareOfBps(money.balance_cents, step.balanceBps) +
  shareOfBps(money.fee_cents, step.feeBps);

/** Returns what the artist keeps, in minor units, if the promoter cancels: by the policy, at most what was paid, never less than a day before. */
export function cancellationFee(
  policy: CancellationPolicy,
  money: { fee_cents: number; deposit_cents: number; balance_cents: number; paid: number },
  when: { daysBefore: number; hoursSincePaid: number },
): number {
  const cooling = policy.coolingOff;
  if (when.hoursSincePaid < cooling.hours && when.daysBefore >= cooling.unlessDaysBeforeBelow) return 0;
  const reached = policy.steps.findIndex((one) => when.daysBefore >= one.daysBeforeAtLeast);
  const passed = reached < 0 ? policy.steps : policy.steps.slice(0, reached + 1);
  // A deposit of more than half the fee is worth more than half the fee later on: what was kept at an earlier step stays kept.
  const owed = Math.max(0, ...passed.map((step) => keptAt(step, money)));
  return Math.min(money.paid, owed);
}

/** Whose decision or breach ends a booking: only the promoter's costs the promoter anything (design, section 6; market, section e2). */
export type CancelFault = "promoter" | "artist" | "nobody";

/** What the division of the money depends on. Amounts are minor units; `held` is what has been paid and not given back. */
export type CancellationFacts = Readonly<{
  policy: CancellationPolicy;
  fee_cents: number;
  deposit_cents: number;
  balance_cents: number;
  commission_bps: number;
  held: number;
}>;

/** Who gets what of the money held, in minor units; the three add up to it. */
export type Division = Readonly<{ refund: number; artist: number; commission: number }>;

/** Divides the money at a moment: `daysBefore` in local days of the event's zone, `hoursSincePaid` since the deposit arrived. */
export function divisionOf(
  facts: CancellationFacts,
  fault: CancelFault,
  when: { daysBefore: number; hoursSincePaid: number },
): Division {
  const { held, policy, ...money } = facts;
  const kept = fault === "promoter" ? cancellationFee(policy, { ...money, paid: held }, when) : 0;
  const commission = shareOfBps(kept, facts.commission_bps);
  return { refund: held - kept, artist: kept - commission, commission };
}

const hourMs = 3_600_000;
/** What the artist keeps of a canceled booking is paid out this many hours after the cancellation at the earliest. */
const feePayableHours = 48;

/** Returns when what the artist keeps of a booking that was canceled at this moment may be paid out. */
export const feePayableFrom = (canceledAt: Date): Date => new Date(canceledAt.getTime() + feePayableHours * hourMs);
