import type { MoneyPartInput } from "#bookings/rules/money/money-parts.rules.ts";
import { positionFrom, type PostingSum } from "#ledger/rules.ts";
import type { PaymentKind } from "#payments/rules.ts";

export const at = (day: string) => new Date(`${day}T12:00:00Z`);
const when = { first: at("2027-01-01"), last: at("2027-01-02") };

export function ledger() {
  const sums: PostingSum[] = [];
  const post = (
    payment: PaymentKind | null,
    kind: string,
    debit: string,
    credit: string,
    amount: number,
    days: { first: Date; last: Date } = when,
  ) => {
    sums.push(
      { payment, kind, account: debit, amount, ...days },
      { payment, kind, account: credit, amount: -amount, ...days },
    );
  };
  return { sums, post };
}
export const on = (day: string) => ({ first: at(day), last: at(day) });

/** Returns a signed booking of 1,500.00 with a deposit of a quarter and a commission of 10 %. */
export const input = (more: Partial<MoneyPartInput> = {}): MoneyPartInput => ({
  status: "contract_signed",
  position: positionFrom([]),
  deposit_cents: 37_500,
  balance_cents: 112_500,
  commission_bps: 1_000,
  created_at: at("2026-11-21"),
  signedAt: at("2026-11-25"),
  canceled_at: null,
  starts_at: at("2027-02-13"),
  ends_at: at("2027-02-14"),
  completesAt: at("2027-02-16"),
  unpaidEndsAt: at("2027-03-16"),
  balance: { dueAt: at("2027-01-17"), overdue: false, decisionAt: null, mayArtistDecide: false, unpayable: null },
  block: null,
  refundFailed: false,
  refundWaiting: 0,
  payout: null,
  seesCommission: true,
  ...more,
});
