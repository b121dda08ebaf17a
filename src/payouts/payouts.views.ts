import { sql } from "kysely";
import type { ConvertedAmount } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { isUnsendable } from "./paid-outside.views.ts";
import { payoutStatusOf, type PayoutState, type PayoutStatus, type PayoutWait } from "./payouts.rules.ts";
import { hasDispute, hasOpenObjection, hasOpenRefund, isFormerOwners } from "./payouts.store.ts";

export type PayoutView = {
  bookingId: string;
  amount: number;
  reversed: number;
  /** What is not sent yet, in minor units. */
  unsent: number;
  currency: string;
  /** The amount sent less reversals, if the provider's account has another currency. */
  sent: ConvertedAmount | null;
  status: PayoutStatus;
  waits: PayoutWait | null;
  /** Not before payouts continue after a change of the bank account. */
  dueAt: Date;
  paidAt: Date | null;
  /** The provider's message for a refused transfer or reversal, or why the payout cannot be planned. For admins only. */
  error: string | null;
  canRetry: boolean;
  /** What the artist must pay back of money that was paid outside the provider, in minor units. */
  owed: number;
  /** What an admin can record as paid outside the provider, in minor units. Below 0: what the artist can pay back there. */
  outside: number;
};

type Row = PayoutState & {
  bookingId: string;
  currency: string;
  paidAt: Date | null;
  settled: number | null;
  settledCurrency: string | null;
  unsent: number;
  /** What is sent again of what was reversed: shares of disputes, and reversals in the provider's dashboard. */
  returned: number;
  reversalFailed: boolean;
  refused: number;
  notReversed: number;
  owed: number;
  error: string | null;
};

/** Returns the payouts of these bookings by booking id. A booking whose money is still held has none. */
export async function payoutsOf(
  reader: Reader,
  bookingIds: readonly string[],
  now: Date,
): Promise<Map<string, PayoutView>> {
  if (bookingIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select p.booking_id as "bookingId", p.amount, p.currency, p.due_at as "dueAt", p.paid_at as "paidAt", p.paid_at is not null as paid,
      coalesce(c.onboarding_status, 'not_started') as account, c.frozen_until as "frozenUntil", ${isFormerOwners} as "isFormerOwners",
      coalesce(t.reversed, 0)::bigint as reversed, t.settled::bigint as settled, t.settled_currency as "settledCurrency", coalesce(t.returned, 0)::bigint as returned,
      case when p.planned_at is null then p.amount else coalesce(t.unsent, 0) end::bigint as unsent,
      coalesce(t.failed, false) or p.stuck_reason is not null as failed, coalesce(t.sent, false) as sent,
      coalesce(v.failed, false) as "reversalFailed", (coalesce(t.refused, 0) + case when not ${isUnsendable(now)} then 0 when p.planned_at is null then p.amount else coalesce(t.waiting, 0) end)::bigint as refused, coalesce(v.amount, 0)::bigint as "notReversed", coalesce(v.owed, 0)::bigint as owed, coalesce(t.error, v.error, p.stuck_reason) as error,
      ${hasOpenRefund} as "refundOpen", ${hasDispute} as disputed, ${hasOpenObjection} as objected
    from payouts p left join artist_connect c on c.artist_id = p.artist_id
    left join lateral (
      select sum(t.amount_reversed) as reversed,
        sum(t.settled_amount - (select coalesce(sum(r.settled_amount), 0) from transfer_reversals r where r.transfer_id = t.id and r.status = 'succeeded'))
          filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as settled,
        min(t.settled_currency) filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as settled_currency,
        sum(t.amount) filter (where t.status <> 'succeeded') as unsent, sum(t.amount) filter (where t.returned_dispute_id is not null or t.replaced_reversal_id is not null) as returned, bool_or(t.status = 'failed') as failed,
        sum(greatest(0, t.amount - (select coalesce(sum(r.amount), 0) from transfer_reversals r where r.transfer_id = t.id))) filter (where t.status = 'failed' and not t.needs_lookup) as refused,
        sum(greatest(0, t.amount - (select coalesce(sum(r.amount), 0) from transfer_reversals r where r.transfer_id = t.id))) filter (where t.status = 'requested' and t.requested_at is null) as waiting,
        bool_or(t.status = 'submitted') or bool_or(t.status = 'succeeded') and not bool_or((t.returned_dispute_id is not null or t.replaced_reversal_id is not null) and t.status <> 'succeeded') as sent,
        max(t.last_error) filter (where t.status = 'failed') as error
      from transfers t where t.payout_id = p.id) t on true
    left join lateral (
      select max(r.last_error) as error, sum(r.amount) filter (where not r.needs_lookup) as amount, sum(r.amount) filter (where t.paid_outside_at is not null) as owed, bool_or(t.paid_outside_at is null) as failed from transfer_reversals r join transfers t on t.id = r.transfer_id
      where t.payout_id = p.id and r.status = 'failed') v on true
    where p.booking_id in (${sql.join(bookingIds.map((id) => sql`${id}::uuid`))})`.execute(reader);
  return new Map(rows.map((row) => [row.bookingId, viewOf(row, now)]));
}

function viewOf(
  { settled, settledCurrency, returned, reversalFailed, refused, notReversed, ...row }: Row,
  now: Date,
): PayoutView {
  // A reversed part that is sent again counts once, as if it had never been reversed.
  const cancelled = Math.min(row.reversed, returned);
  const payout = { ...row, amount: row.amount - cancelled, reversed: row.reversed - cancelled };
  const { bookingId, amount, reversed, unsent, currency, dueAt, paidAt, error, owed } = payout;
  const status = payoutStatusOf(payout, now);
  return {
    bookingId,
    amount,
    reversed,
    unsent,
    currency,
    sent: settledCurrency === null ? null : { amount: settled ?? 0, currency: settledCurrency },
    ...status,
    dueAt: status.waits === "bank" && row.frozenUntil && row.frozenUntil > dueAt ? row.frozenUntil : dueAt,
    paidAt,
    error,
    canRetry: row.failed || reversalFailed,
    owed,
    outside: refused > 0 || notReversed === 0 ? refused : -notReversed,
  };
}

/** The times at which a payout can be sent, is retried, or is no longer frozen after a change of the bank account. */
export const payoutTimes = sql`
  select greatest(p.due_at, p.next_try_at, c.frozen_until) as at
    from payouts p left join artist_connect c on c.artist_id = p.artist_id where p.planned_at is null and p.stuck_at is null
  union all select greatest(t.next_try_at, c.frozen_until)
    from transfers t join payouts p on p.id = t.payout_id left join artist_connect c on c.artist_id = p.artist_id
    where t.status in ('requested', 'submitted')
  union all select next_try_at from transfer_reversals where status in ('requested', 'submitted')`;
