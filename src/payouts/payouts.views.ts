import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { ConvertedAmount } from "#gateway/gateway.ts";
import { payoutStatusOf, type PayoutStatus, type PayoutWait } from "./payouts.rules.ts";
import { hasDispute, hasOpenObjection, isFormerOwners } from "./payouts.store.ts";

export type PayoutView = {
  bookingId: string;
  amount: number;
  reversed: number;
  currency: string;
  /** The amount sent less reversals, if the provider's account has another currency. */
  sent: ConvertedAmount | null;
  status: PayoutStatus;
  waits: PayoutWait | null;
  dueAt: Date;
  paidAt: Date | null;
  /** The provider's message for a refused transfer or reversal, or why the payout cannot be planned. For admins only. */
  error: string | null;
  canRetry: boolean;
};

type Row = {
  booking_id: string;
  amount: number;
  currency: string;
  due_at: Date;
  planned_at: Date | null;
  paid_at: Date | null;
  reversed: string;
  settled: string | null;
  settled_currency: string | null;
  given_back: string;
  failed: boolean;
  failed_reversal: boolean;
  sent: boolean;
  error: string | null;
  stuck_reason: string | null;
  account: string;
  frozen_until: Date | null;
  former_owners: boolean;
  refund_open: boolean;
  disputed: boolean;
  objected: boolean;
};

/** Returns the payouts of these bookings by booking id. A booking whose money is still held has none. */
export async function payoutsOf(
  reader: Reader,
  bookingIds: readonly string[],
  now: Date,
): Promise<Map<string, PayoutView>> {
  if (bookingIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select p.booking_id, p.amount, p.currency, p.due_at, p.planned_at, p.paid_at, p.stuck_reason, coalesce(c.onboarding_status, 'not_started') as account,
      c.frozen_until, ${isFormerOwners} as former_owners, coalesce(t.reversed, 0) as reversed, t.settled, t.settled_currency, coalesce(t.given_back, 0) as given_back, coalesce(t.failed, false) as failed, coalesce(t.sent, false) as sent,
      coalesce(t.error, v.error) as error, v.error is not null as failed_reversal,
      exists (select 1 from refunds r join payments x on x.id = r.payment_id
              where x.booking_id = p.booking_id and r.status <> 'succeeded') as refund_open,
      ${hasDispute} as disputed, ${hasOpenObjection} as objected
    from payouts p left join artist_connect c on c.artist_id = p.artist_id
    left join lateral (
      select sum(t.amount_reversed) as reversed,
        sum(t.settled_amount - (select coalesce(sum(r.settled_amount), 0) from transfer_reversals r where r.transfer_id = t.id and r.status = 'succeeded'))
          filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as settled,
        min(t.settled_currency) filter (where t.status = 'succeeded' and t.settled_currency <> t.currency) as settled_currency,
        sum(t.amount) filter (where t.returned_dispute_id is not null) as given_back, bool_or(t.status = 'failed') as failed, bool_or(t.requested_at is not null) as sent,
        max(t.last_error) filter (where t.status = 'failed') as error
      from transfers t where t.payout_id = p.id) t on true
    left join lateral (
      select max(r.last_error) as error from transfer_reversals r join transfers t on t.id = r.transfer_id
      where t.payout_id = p.id and r.status = 'failed') v on true
    where p.booking_id in (${sql.join(bookingIds.map((id) => sql`${id}::uuid`))})`.execute(reader);
  return new Map(rows.map((row) => [row.booking_id, viewOf(row, now)]));
}

function viewOf(row: Row, now: Date): PayoutView {
  // A reversed share that is returned counts once, as if it had never been reversed.
  const cancelled = Math.min(Number(row.reversed), Number(row.given_back));
  const [amount, reversed] = [row.amount - cancelled, Number(row.reversed) - cancelled];
  const state = {
    amount,
    dueAt: row.due_at,
    planned: row.planned_at !== null,
    paid: row.paid_at !== null,
    reversed,
    failed: row.failed || row.stuck_reason !== null,
    sent: row.sent,
    account: row.account,
    isFormerOwners: row.former_owners,
    frozenUntil: row.frozen_until,
    refundOpen: row.refund_open,
    disputed: row.disputed,
    objected: row.objected,
  };
  return {
    bookingId: row.booking_id,
    amount,
    reversed,
    currency: row.currency,
    sent: row.settled_currency === null ? null : { amount: Number(row.settled), currency: row.settled_currency },
    ...payoutStatusOf(state, now),
    dueAt: row.due_at,
    paidAt: row.paid_at,
    error: row.error ?? row.stuck_reason,
    canRetry: state.failed || row.failed_reversal,
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
