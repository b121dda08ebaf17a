/** Stores past bookings in bulk for the demo market: the rows that real use would have written. */
import type { Insertable } from "kysely";
import { insertSeedReservations } from "#calendar/index.ts";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";

export type SeedBookings = {
  bookings: readonly Insertable<DB["bookings"]>[];
  reservations: readonly Insertable<DB["date_reservations"]>[];
};

/** Inserts the rows. The caller is responsible for consistent data and statuses; the database rejects dates sold twice. */
export async function insertSeedBookings(tx: Tx, history: SeedBookings): Promise<void> {
  for (const rows of chunks(history.bookings)) await tx.insertInto("bookings").values(rows).execute();
  await insertSeedReservations(tx, history.reservations);
}
