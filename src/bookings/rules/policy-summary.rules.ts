import { formatPercent } from "#platform/money.rules.ts";
import { policyTitles } from "#settings/policy-names.rules.ts";
import type { CancellationPolicy, PolicyStep } from "./cancellation.rules.ts";

/** Returns two lines: what the artist keeps at each step, and when everything is refunded. Each fits the checkout (200 characters). */
export function policySummary(policy: CancellationPolicy): [kept: string, refunded: string] {
  const parts = policy.steps.map((step, index) => {
    const before = step.daysBeforeAtLeast;
    if (before === 0) return index === 0 ? retainedAt(step) : `then ${retainedAt(step)}`;
    return `${retainedAt(step)} until ${before} days before${index === 0 ? " the event" : ""}`;
  });
  const { hours, unlessDaysBeforeBelow } = policy.coolingOff;
  return [
    `${policyTitles[policy.name]} cancellation policy. If you cancel, the artist keeps ${parts.join(", ")}.`,
    `Within ${hours} hours of paying, and at least ${unlessDaysBeforeBelow} days before the event, everything is refunded.`,
  ];
}

function retainedAt({ depositBps, balanceBps, feeBps }: PolicyStep): string {
  if (feeBps > 0) return share(feeBps, "fee");
  if (depositBps === 10_000 && balanceBps === 10_000) return "the whole fee";
  const parts = [
    ...(depositBps > 0 ? [share(depositBps, "deposit")] : []),
    ...(balanceBps > 0 ? [share(balanceBps, "balance")] : []),
  ];
  return parts.length > 0 ? parts.join(" and ") : "nothing";
}

function share(bps: number, of: "deposit" | "balance" | "fee"): string {
  if (bps === 10_000) return of === "fee" ? "the whole fee" : `the ${of}`;
  return `${formatPercent(bps / 100)} of the ${of}`;
}
