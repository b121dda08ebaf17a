/** The times at which contract jobs have work. The demo's clock stops there (app/clock/advance.ts). */
import { sql } from "kysely";
import { contractTimes } from "#contracts/copies-for-bookings.ts";
import { sendingAlarmHours } from "#contracts/rules.ts";

export const sendingTimes = sql`
  select greatest(c.send_from, c.next_try_at) as at from bookings b join contracts c on c.booking_id = b.id
  where b.status = 'deposit_paid'`;

export const contractDeadlineTimes = sql`
  ${contractTimes} union all
  select unnest(array[b.starts_at,
    greatest(b.deposit_paid_at + ${sendingAlarmHours} * interval '1 hour', c.send_from + interval '1 hour')])
  from bookings b left join contracts c on c.booking_id = b.id where b.status = 'deposit_paid'`;

export const esignEventTimes = sql`
  select next_try_at as at from esign_events where processed_at is null and dead_at is null`;
