/** A cancellation policy as the clauses that stand in the contract. */
import { formatMoneyExact } from "#platform/money.rules.ts";
import { type CancellationPolicy, cancellationFee } from "./cancellation.rules.ts";

type Money = Readonly<{ fee_cents: number; deposit_cents: number; balance_cents: number; currency: string }>;

const days = (count: number) => `${count} ${count === 1 ? "day" : "days"}`;

/** One clause for the cooling-off time and one for each step, with what the artist keeps if everything has been paid. Minor units. */
export function describePolicy(policy: CancellationPolicy, money: Money): string[] {
  const { hours, unlessDaysBeforeBelow } = policy.coolingOff;
  const clauses = policy.steps.map((step, index) => {
    const above = policy.steps[index - 1];
    const from = step.daysBeforeAtLeast;
    const when =
      above === undefined
        ? from === 0
          ? "The promoter cancels at any other time"
          : `The promoter cancels ${days(from)} before the event or earlier`
        : from === 0
          ? `The promoter cancels less than ${days(above.daysBeforeAtLeast)} before the event`
          : `The promoter cancels from ${days(above.daysBeforeAtLeast - 1)} to ${days(from)} before the event`;
    const fee = cancellationFee(
      policy,
      { ...money, paid: money.fee_cents },
      { daysBefore: from, hoursSincePaid: hours },
    );
    return `${when}: the artist keeps ${formatMoneyExact(fee, money.currency)} of a fee that was paid in full.`;
  });
  return [
    `The promoter cancels within ${hours} hours of paying, and at least ${days(unlessDaysBeforeBelow)} before the event: the promoter gets everything back.`,
    ...clauses,
  ];
}
