import { type Money, money, shortDay } from "./format.ts";

/** What is still to be paid and when (`day` null: once both have signed). `balanceUnpayable`: nobody can pay it here. */
export type BalanceAhead = Readonly<{
  balance?: Money | null;
  balanceDue?: string | null;
  balanceCharge?: { card: string; day: string | null } | null;
  balanceUnpayable?: "payments_not_set_up" | "too_small" | null;
}>;

const unpayableLabels = {
  payments_not_set_up: "Balance, cannot be paid on the site yet",
  too_small: "Balance, paid directly",
} as const;

const line = (label: string, amount: Money | null | undefined): [string, string][] =>
  amount ? [[label, money(amount)]] : [];

/** The line of the balance, which names a charge that comes by itself as one. `signed`: both have signed the contract. */
export function balanceLine(
  { balance, balanceDue, balanceCharge: charge, balanceUnpayable: unpayable }: BalanceAhead,
  { signed = false } = {},
): [string, string][] {
  if (unpayable) return line(unpayableLabels[unpayable], balance);
  const atOnce = signed ? "now" : "once both have signed";
  if (charge)
    return line(`Balance, charged to ${charge.card} ${charge.day ? `on ${shortDay(charge.day)}` : atOnce}`, balance);
  return line(balanceDue ? `Balance, due ${shortDay(balanceDue)}` : "Balance", balance);
}
