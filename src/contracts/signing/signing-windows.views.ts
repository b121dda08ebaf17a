import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { signingWindow } from "../rules/contract.rules.ts";

const remindersFrom = sql<Date>`coalesce(c.reminders_from, c.sent_at)`;

/** Returns the bookings of contracts with a due step. In random order, because those whose service is unreachable must not block the others. */
export async function overdueContracts(reader: Reader, now: Date, max: number): Promise<string[]> {
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const rows = await reader
    .selectFrom("contracts as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .select("c.booking_id")
    .where("c.signed_status", "=", "sent")
    .where("b.status", "=", "contract_sent")
    .where((eb) =>
      eb.or([
        eb("c.expires_at", "is", null),
        eb("c.expires_at", "<=", now),
        ...signingWindow.reminderHours.map((hours, index) =>
          eb.and([eb("c.reminders", "=", index), eb(remindersFrom, "<=", before(hours))]),
        ),
      ]),
    )
    .orderBy(sql`random()`)
    .limit(max)
    .execute();
  return rows.map(({ booking_id: id }) => id);
}

export const contractTimes = sql`
  select unnest(array[c.expires_at, ${sql.join(
    signingWindow.reminderHours.map(
      (hours, index) => sql`case when c.reminders = ${index} then ${remindersFrom} + ${hours} * interval '1 hour' end`,
    ),
  )}]) as at from contracts c join bookings b on b.id = c.booking_id
  where c.signed_status = 'sent' and b.status = 'contract_sent'`;
