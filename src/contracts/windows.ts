/** The time for signing, as the clock moves it: reminders, one extension, the end. */
import { sql } from "kysely";
import { earliestAfter, type Reader, type Tx } from "#platform/db/index.ts";
import { openWindow } from "./contracts.ts";
import { extendedEnd } from "./rules.ts";
import { changeContract, lockContract } from "./store.ts";

const hourMs = 3_600_000;

/** Hours after sending at which whoever has not signed is reminded. */
const reminderHours = [24, 72] as const;

/** The bookings whose contract is sent and asks for something by the clock, the oldest first. */
export async function overdueContracts(reader: Reader, now: Date, most: number): Promise<string[]> {
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
        ...reminderHours.map((hours, index) =>
          eb.and([eb("c.reminders", "=", index), eb("c.sent_at", "<=", before(hours))]),
        ),
      ]),
    )
    .orderBy("c.sent_at")
    .limit(most)
    .execute();
  return rows.map(({ booking_id: id }) => id);
}

/** When the next sent contract asks for something: one of its reminders, or the end of its window. */
export const nextContractMoment = (reader: Reader, after: Date): Promise<Date | null> =>
  earliestAfter(
    reader,
    sql`select unnest(array[c.expires_at, ${sql.join(
      reminderHours.map(
        (hours, index) => sql`case when c.reminders = ${index} then c.sent_at + ${hours} * interval '1 hour' end`,
      ),
    )}]) as at from contracts c join bookings b on b.id = c.booking_id
      where c.signed_status = 'sent' and b.status = 'contract_sent'`,
    after,
  );

/**
 * Moves the time of a sent contract whose booking is locked. Answers what was due: `opened` for a contract that had no window yet,
 * `reminded`, `extended` (once), `expired`, which is the caller's to act on, or nothing.
 */
export async function changeWindow(
  tx: Tx,
  bookingId: string,
  { startsAt, now }: { startsAt: Date; now: Date },
): Promise<"opened" | "reminded" | "extended" | "expired" | null> {
  const contract = await lockContract(tx, bookingId);
  if (contract?.signed_status !== "sent") return null;
  const sentAt = contract.sent_at ?? now;
  if (contract.expires_at === null) {
    await openWindow(tx, contract, startsAt, now);
    // Reminders that were due before there was a window are not sent all at once.
    await changeContract(tx, contract, { reminders: reminderHours.length });
    return "opened";
  }
  if (contract.expires_at <= now) {
    const later = contract.extended_at === null ? extendedEnd(contract.expires_at, startsAt) : null;
    if (later === null || later <= now) return "expired";
    await changeContract(tx, contract, { expires_at: later, extended_at: now });
    return "extended";
  }
  const due = reminderHours.filter((hours) => sentAt.getTime() + hours * hourMs <= now.getTime()).length;
  if (due <= contract.reminders) return null;
  await changeContract(tx, contract, { reminders: due });
  return "reminded";
}
