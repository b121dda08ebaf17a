import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { BookingPage } from "../booking.api.ts";

type Line = BookingPage["timeline"][number];

export async function contractStepsOf(reader: Reader, bookingId: string): Promise<Line[]> {
  const [reminders, contract] = await Promise.all([
    reader
      .selectFrom("messages")
      .select("created_at")
      .distinct()
      .where("ref_id", "=", bookingId)
      .where("template", "=", "contract_reminder")
      .where(sql<boolean>`dedupe_key like '%contract reminded %'`)
      .execute(),
    reader.selectFrom("contracts").select("extended_at").where("booking_id", "=", bookingId).executeTakeFirst(),
  ]);
  const line = (at: Date, text: string): Line => ({ at, kind: "contract_waiting", text, by: null, detail: null });
  return [
    ...reminders.map(({ created_at }) => line(created_at, "Reminder of the signature sent")),
    ...(contract?.extended_at ? [line(contract.extended_at, "The time for signing was extended")] : []),
  ];
}
