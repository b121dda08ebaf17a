/** The work of the contract jobs, and the times at which they have some. The demo's clock stops there (app/clock/advance.ts). */

import { sql } from "kysely";
import { contractTimes } from "#contracts/copies-for-bookings.ts";
import { unsentAlarmHours } from "#contracts/rules.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

export const sendingTimes = sql`
  select greatest(c.send_from, c.next_try_at) as at from bookings b join contracts c on c.booking_id = b.id
  where b.status = 'deposit_paid'`;

export const contractDeadlineTimes = sql`
  ${contractTimes} union all
  select unnest(array[b.starts_at,
    greatest(b.deposit_paid_at + ${unsentAlarmHours} * interval '1 hour', c.send_from + interval '1 hour')])
  from bookings b left join contracts c on c.booking_id = b.id where b.status = 'deposit_paid'`;

/** Returns ended shows with an open objection, whose money stays frozen until an admin decides. */
export const undecidedObjections = (reader: Reader, now: Date) =>
  reader
    .selectFrom("bookings as b")
    .innerJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "b.number", "b.ends_at"])
    .where("b.ends_at", "<=", now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("contract_objections as o")
          .select("o.contract_id")
          .whereRef("o.contract_id", "=", "c.id")
          .where("o.decided_at", "is", null),
      ),
    )
    .orderBy("b.ends_at")
    .execute();

/** Returns bookings whose contract is due to be sent. In random order, because failing ones must not block the others. */
export const sendableContracts = (reader: Reader, now: Date, max: number) =>
  reader
    .selectFrom("bookings as b")
    .leftJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "c.id as contract", "c.attempts"])
    .where("b.status", "=", "deposit_paid")
    .where("b.starts_at", ">", now)
    .where((eb) => eb.or([eb("c.send_from", "is", null), eb("c.send_from", "<=", now)]))
    .where((eb) => eb.or([eb("c.next_try_at", "is", null), eb("c.next_try_at", "<=", now)]))
    .orderBy(sql`random()`)
    .limit(max)
    .execute();

/** Returns paid bookings without a sent contract whose event has begun, or that wait so long that admins must be notified. In random order, because waiting ones must not block the others. */
export function unsentBookings(reader: Reader, now: Date, max: number) {
  const alarmPaidBefore = new Date(now.getTime() - unsentAlarmHours * hourMs);
  return reader
    .selectFrom("bookings as b")
    .leftJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "b.number", "b.starts_at", "c.last_error"])
    .where("b.status", "=", "deposit_paid")
    .where((eb) =>
      eb.or([
        eb("b.starts_at", "<=", now),
        eb.and([
          eb("b.deposit_paid_at", "<=", alarmPaidBefore),
          eb.or([eb("c.send_from", "is", null), eb("c.send_from", "<=", new Date(now.getTime() - hourMs))]),
        ]),
      ]),
    )
    .orderBy(sql`random()`)
    .limit(max)
    .execute();
}

export const openContractsOf = (reader: Reader, userId: string) =>
  rowsOf<{ id: string; side: "promoter" | "artist" }>(reader)`
    select c.id, case when b.promoter_user_id = ${userId}::uuid then 'promoter' else 'artist' end as side
    from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id
    where c.signed_status = 'sent' and ${userId}::uuid in (b.promoter_user_id, a.user_id)`;
