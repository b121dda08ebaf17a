import { formatMoneyExact, formatPercent } from "#platform/money.rules.ts";
import { policyTitles } from "#settings/policy-names.rules.ts";
import { type CancellationPolicy, cancellationFee, type PolicyStep } from "./cancellation.rules.ts";

type Money = Readonly<{ fee_cents: number; deposit_cents: number; balance_cents: number; currency: string }>;

const days = (count: number) => `${count} ${count === 1 ? "day" : "days"}`;

function timeOf(from: number, above: number | undefined): string {
  if (above === undefined) return from === 0 ? "at any other time" : `${days(from)} or more before the event`;
  return from === 0 ? `less than ${days(above)} before the event` : `${from} to ${days(above - 1)} before the event`;
}

/** Returns a clause for the cooling-off period and each step, with the fee in cents if all is paid. */
export function describePolicy(policy: CancellationPolicy, money: Money): string[] {
  const { hours, unlessDaysBeforeBelow } = policy.coolingOff;
  const clauses = policy.steps.map((step, index) => {
    const above = policy.steps[index - 1]?.daysBeforeAtLeast;
    const from = step.daysBeforeAtLeast;
    const fee = cancellationFee(
      policy,
      { ...money, paid: money.fee_cents },
      { daysBefore: from, hoursSincePaid: hours },
    );
    const sum = formatMoneyExact(fee, money.currency);
    const result = fee === 0 ? "all payments are refunded" : `the artist keeps ${sum} of what has been paid`;
    return `If the promoter cancels ${timeOf(from, above)}, ${result}.`;
  });
  const start = coolingOffStart(money.deposit_cents > 0);
  return [
    `If the promoter cancels within ${hours} hours of ${start} and at least ${days(unlessDaysBeforeBelow)} before the event, all payments are refunded.`,
    ...clauses,
  ];
}

export const coolingOffStart = (hasDeposit: boolean): string =>
  hasDeposit ? "paying the deposit" : "the artist's acceptance";

type PolicyLine = Readonly<{ time: string; lost: string }>;

/** Returns what the promoter loses, in the cooling-off period and then in each period before the event, from the earliest. Without a deposit the whole price is the balance. */
export function policyLines(policy: CancellationPolicy, hasDeposit = true): PolicyLine[] {
  const { hours, unlessDaysBeforeBelow } = policy.coolingOff;
  const cooling = `Within ${hours} hours of ${coolingOffStart(hasDeposit)}, ${days(unlessDaysBeforeBelow)} or more before`;
  return [{ time: cooling, lost: "nothing" }, ...stepLines(policy, hasDeposit)];
}

function stepLines(policy: CancellationPolicy, hasDeposit: boolean): PolicyLine[] {
  const steps = hasDeposit ? policy.steps : withoutDeposit(policy.steps);
  return steps.map((step, index) => {
    const time = timeOf(step.daysBeforeAtLeast, steps[index - 1]?.daysBeforeAtLeast);
    // A deposit above the share of the price stays lost (cancellationFee).
    const isDepositLost = step.feeBps > 0 && step.feeBps < 10_000 && steps.some(({ depositBps }) => depositBps > 0);
    const lost = isDepositLost ? `${lostAt(step)}, or the deposit if more` : lostAt(step);
    return { time: capitalize(time).replace(/ the event$/, ""), lost };
  });
}

function withoutDeposit(steps: readonly PolicyStep[]): PolicyStep[] {
  const ofPrice = steps.map((step) => ({
    ...step,
    depositBps: 0,
    balanceBps: 0,
    feeBps: step.feeBps || step.balanceBps,
  }));
  // Neighbors with the same loss are one period.
  return ofPrice.filter(({ feeBps }, index) => feeBps !== ofPrice[index + 1]?.feeBps);
}

export const fullRefundTerms = ({ coolingOff }: CancellationPolicy, hasDeposit: boolean): string =>
  `Cancel within ${coolingOff.hours} hours of ${coolingOffStart(hasDeposit)} and at least ${days(coolingOff.unlessDaysBeforeBelow)} before the event: full refund.`;

/** Returns what the promoter loses at each step as one text of at most 200 characters. `fullRefundTerms` completes it. */
export function policySummary(policy: CancellationPolicy, hasDeposit = true): string {
  const lines = stepLines(policy, hasDeposit);
  const texts = lines.map(({ time, lost }, index) => {
    if (index > 0) return `${time}: ${lost}.`;
    return `If you cancel${lines.length === 1 ? "" : ` ${time} the event`}, you lose ${lost}.`;
  });
  return `${policyTitles[policy.name]} cancellation policy. ${texts.join(" ")}`;
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function lostAt({ depositBps, balanceBps, feeBps }: PolicyStep): string {
  if (feeBps > 0) return share(feeBps, "price");
  if (depositBps === 10_000 && balanceBps === 10_000) return "the whole price";
  const parts = [
    ...(depositBps > 0 ? [share(depositBps, "deposit")] : []),
    ...(balanceBps > 0 ? [share(balanceBps, "balance")] : []),
  ];
  return parts.length > 0 ? parts.join(" and ") : "nothing";
}

function share(bps: number, of: "deposit" | "balance" | "price"): string {
  if (bps === 10_000) return of === "price" ? "the whole price" : `the ${of}`;
  return `${formatPercent(bps / 100)} of the ${of}`;
}
