import { type Money, money, shortDay } from "./email.ts";

/** The unpaid balance and its due day. `day` is null until both have signed. `balanceUnpayable`: it cannot be paid on the site. */
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

/** Labeled as a charge if it is automatic. `signed`: both have signed the contract. */
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
