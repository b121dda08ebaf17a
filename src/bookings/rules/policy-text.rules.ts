import { formatMoneyExact } from "#platform/money.rules.ts";
import { type CancellationPolicy, cancellationFee } from "./cancellation.rules.ts";

type Money = Readonly<{ fee_cents: number; deposit_cents: number; balance_cents: number; currency: string }>;

const days = (count: number) => `${count} ${count === 1 ? "day" : "days"}`;

/** Returns the time of a step as text. `above` is the least number of days of the step before it. */
function timeOf(from: number, above: number | undefined): string {
  if (above === undefined) return from === 0 ? "at any other time" : `${days(from)} or more before the event`;
  return from === 0 ? `less than ${days(above)} before the event` : `${from} to ${days(above - 1)} before the event`;
}

/** Returns the same text for contracts until edition 2, because a stored contract is checked by drawing it again. */
function formerTimeOf(from: number, above: number | undefined): string {
  if (above === undefined) return from === 0 ? "at any other time" : `${days(from)} before the event or earlier`;
  if (from === 0) return `less than ${days(above)} before the event`;
  return `from ${days(above - 1)} to ${days(from)} before the event`;
}

/** Returns a clause for the cooling-off period and each step, with the fee in cents if all is paid. `former` returns the clauses of contracts until edition 2. */
export function describePolicy(policy: CancellationPolicy, money: Money, { former = false } = {}): string[] {
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
    if (former)
      return `The promoter cancels ${formerTimeOf(from, above)}: the artist keeps ${sum} of a fee that was paid in full.`;
    const result = fee === 0 ? "all payments are refunded" : `the artist keeps ${sum} of what has been paid`;
    return `If the promoter cancels ${timeOf(from, above)}, ${result}.`;
  });
  return [
    former
      ? `The promoter cancels within ${hours} hours of paying, and at least ${days(unlessDaysBeforeBelow)} before the event: the promoter gets everything back.`
      : `If the promoter cancels within ${hours} hours of paying and at least ${days(unlessDaysBeforeBelow)} before the event, all payments are refunded.`,
    ...clauses,
  ];
}
