/** Times when jobs of payments become due. The demo's clock stops at each of them (app/clock/advance.ts). */
import { sql } from "kysely";
import { earliestAfter, type Reader } from "#platform/db/index.ts";

export const nextRefund = (reader: Reader, after: Date) =>
  earliestAfter(reader, sql`select next_try_at as at from refunds where status in ('requested', 'submitted')`, after);

export const nextCheckoutEnd = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`select expires_at as at from payments where checkout_state in ('reserved', 'open') and requested_at is not null`,
    after,
  );

export const nextCharge = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`select next_try_at as at from payments where way = 'saved_card' and checkout_state = 'reserved'`,
    after,
  );

export const nextCardRemoval = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`select next_try_at as at from saved_cards where removal_requested_at is not null and removed_at is null`,
    after,
  );

/** Returns when the next payout can be sent, is retried, or is no longer frozen after a change of the bank account. */
export const nextPayout = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`
      select greatest(p.due_at, p.next_try_at, c.frozen_until) as at
        from payouts p left join artist_connect c on c.artist_id = p.artist_id where p.planned_at is null and p.stuck_at is null
      union all select greatest(t.next_try_at, c.frozen_until)
        from transfers t join payouts p on p.id = t.payout_id left join artist_connect c on c.artist_id = p.artist_id
        where t.status in ('requested', 'submitted')
      union all select next_try_at from transfer_reversals where status in ('requested', 'submitted')`,
    after,
  );
