import type { PayoutStatus, PayoutWait } from "#payouts/payouts.rules.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { formatPlatformDate } from "./dates.ts";

const waits: Record<Exclude<PayoutWait, "date" | "bank">, string> = {
  account: "waiting for your payment account",
  owner: "waiting: the payment account belongs to a former owner of the profile",
  refund: "waiting for a refund",
  dispute: "waiting for the decision on a dispute",
  no_show: "waiting for the decision on a report",
  objection: "waiting for the decision on an objection to the contract",
  balance: "waiting for the balance",
};

type Transfer = Readonly<{
  state: "sent" | "paid_outside" | "reversed" | "paid_back" | "reversal_due" | "reversal_refused" | "owed";
  amount_cents: number;
  currency: string;
  at: string | null;
}>;

const transferStates = {
  sent: "sent",
  paid_outside: "paid outside the payment provider",
  reversed: "reversed",
  paid_back: "paid back outside the payment provider",
  reversal_due: "to be reversed",
  reversal_refused: "not reversed, we are reviewing it",
  owed: "to be paid back",
} as const;

type Shown = Readonly<{
  status: PayoutStatus;
  waits_for: PayoutWait | null;
  due_at: string;
  paid_at: string | null;
  sent: Readonly<{ amount_cents: number; currency: string }> | null;
}>;

/** Returns "sent 3 Mar" or what the payout waits for, addressed to its artist or to another viewer. */
export function describePayout({ status, waits_for: wait, due_at, paid_at, sent }: Shown, isArtist = true): string {
  if (status === "held" && wait === null) return `to be released ${formatPlatformDate(due_at)}`;
  if (status === "paid") {
    const as = sent ? ` as ${formatMoneyExact(sent.amount_cents, sent.currency)}` : "";
    return paid_at ? `sent ${formatPlatformDate(paid_at)}${as}` : `sent${as}`;
  }
  if (status === "in_transit") return "on its way to the payment account";
  if (status === "failed") return "not sent, we are reviewing it";
  if (status === "reversed") return "reversed after a refund or a lost dispute";
  if (wait === "account" && !isArtist) return "waiting for the payment account of the artist";
  if (wait === "bank") return `waiting until ${formatPlatformDate(due_at)} because the bank account was changed`;
  if (wait !== null && wait !== "date") return waits[wait];
  return wait === "date" ? `due ${formatPlatformDate(due_at)}` : "due now";
}

/** Returns a line for each transfer of a payout that has several, such as "$675.00 reversed 16 Dec 2026", else its description. A payout that is not sent in full has both. */
export function payoutLines({ transfers, ...payout }: Shown & Readonly<{ transfers: readonly Transfer[] }>): string[] {
  const lines = transfers.map(({ state, amount_cents: cents, currency, at }) =>
    [formatMoneyExact(cents, currency), transferStates[state], ...(at ? [formatPlatformDate(at)] : [])].join(" "),
  );
  const isSent = payout.status === "paid" || payout.status === "reversed";
  const isOutside = transfers.some(({ state }) => state === "paid_outside");
  return isSent && (lines.length > 1 || isOutside) ? lines : [describePayout(payout), ...(isSent ? [] : lines)];
}
