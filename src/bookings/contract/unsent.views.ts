import type { Reader } from "#platform/db/index.ts";
import { sendingAlarmHours } from "#contracts/rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

export const sendableContracts = (reader: Reader, now: Date, max: number) =>
  reader
    .selectFrom("bookings as b")
    .leftJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "c.id as contract", "c.attempts"])
    .where("b.status", "=", "deposit_paid")
    .where("b.starts_at", ">", now)
    .where((eb) => eb.or([eb("c.send_from", "is", null), eb("c.send_from", "<=", now)]))
    .where((eb) => eb.or([eb("c.next_try_at", "is", null), eb("c.next_try_at", "<=", now)]))
    .orderBy("b.deposit_paid_at")
    .limit(max)
    .execute();

/** Returns paid bookings without a sent contract whose event has begun, or that wait so long that admins must be notified. */
export function unsentBookings(reader: Reader, now: Date, max: number) {
  const alarmFrom = new Date(now.getTime() - sendingAlarmHours * hourMs);
  return reader
    .selectFrom("bookings as b")
    .leftJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "b.number", "b.starts_at", "c.last_error"])
    .where("b.status", "=", "deposit_paid")
    .where((eb) =>
      eb.or([
        eb("b.starts_at", "<=", now),
        eb.and([
          eb("b.deposit_paid_at", "<=", alarmFrom),
          eb.or([eb("c.send_from", "is", null), eb("c.send_from", "<=", new Date(now.getTime() - hourMs))]),
        ]),
      ]),
    )
    .orderBy("b.deposit_paid_at")
    .limit(max)
    .execute();
}
