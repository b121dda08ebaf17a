import { addDays, daysBetween, formatDayAndMonth } from "#platform/time/calendar.rules.ts";
import { type CancellationPolicy, cancellationFee } from "./cancellation.rules.ts";

/** `fee` in cents if all is paid. `until` is its last day, undefined for the step that ends with the event. */
export type FeeStep = Readonly<{ fee: number; until: string | undefined; days: number; coolingOff: boolean }>;

type Money = Readonly<{ fee: number; deposit: number; balance: number }>;

/** Returns the remaining steps before a date, in order. Neighbors with the same fee are merged. */
export function feeSteps(policy: CancellationPolicy, price: Money, when: { date: string; today: string }): FeeStep[] {
  const total = Math.max(0, daysBetween(when.today, when.date));
  const money = { fee_cents: price.fee, deposit_cents: price.deposit, balance_cents: price.balance, paid: price.fee };
  const coolingOff = total >= policy.coolingOff.unlessDaysBeforeBelow;
  const found: FeeStep[] = [];
  let from = total;
  for (const { daysBeforeAtLeast: minDays } of policy.steps) {
    if (minDays > from) continue;
    const fee = cancellationFee(policy, money, { daysBefore: minDays, hoursSincePaid: policy.coolingOff.hours });
    const step: FeeStep = {
      fee,
      until: minDays === 0 ? undefined : addDays(when.date, -minDays),
      days: from - minDays + 1,
      coolingOff,
    };
    const before = found.at(-1);
    if (before?.fee === fee) found[found.length - 1] = { ...step, days: before.days + step.days };
    else found.push(step);
    from = minDays - 1;
  }
  return found;
}

/** Describes what the promoter loses until each date, and a full refund after the event `coolingOffFrom`, if one is possible. */
export function describeFeeSteps(
  policy: CancellationPolicy,
  steps: readonly FeeStep[],
  formatCents: (cents: number) => string,
  coolingOffFrom?: string,
): string {
  const texts = steps.map(({ fee, until }, index) => {
    const lost = fee === 0 ? "nothing" : formatCents(fee);
    if (index > 0) return `${until ? `By ${formatDayAndMonth(until)}` : "Later"}: ${lost}.`;
    return `If you cancel${until ? ` by ${formatDayAndMonth(until)}` : ""}, you lose ${lost}.`;
  });
  const refund =
    coolingOffFrom && steps.some((step) => step.coolingOff)
      ? `Cancel within ${policy.coolingOff.hours} hours of ${coolingOffFrom} for a full refund. `
      : "";
  return `${refund}${texts.join(" ")}`;
}
