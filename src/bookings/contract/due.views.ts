/** The next times at which contract jobs have work. The demo's clock stops there (app/clock/advance.ts). */
import { sql } from "kysely";
import { nextContractMoment } from "#contracts/copies-for-bookings.ts";
import { sendingAlarmHours } from "#contracts/rules.ts";
import { earliestAfter, type Reader } from "#platform/db/index.ts";

export const nextSending = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`select greatest(c.send_from, c.next_try_at) as at from bookings b join contracts c on c.booking_id = b.id
      where b.status = 'deposit_paid'`,
    after,
  );

export async function nextContractDeadline(reader: Reader, after: Date): Promise<Date | null> {
  const unsent = sql`
    select unnest(array[b.starts_at,
      greatest(b.deposit_paid_at + ${sendingAlarmHours} * interval '1 hour', c.send_from + interval '1 hour')]) as at
    from bookings b left join contracts c on c.booking_id = b.id where b.status = 'deposit_paid'`;
  const moments = [await nextContractMoment(reader, after), await earliestAfter(reader, unsent, after)];
  return moments.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

export const nextEsignEvent = (reader: Reader, after: Date) =>
  earliestAfter(
    reader,
    sql`select next_try_at as at from esign_events where processed_at is null and dead_at is null`,
    after,
  );
