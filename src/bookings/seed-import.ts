import type { Insertable } from "kysely";
import { insertSeedReservations } from "#calendar/index.ts";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

export async function insertSeedBookings(
  tx: Tx,
  history: {
    bookings: readonly Insertable<DB["bookings"]>[];
    reservations: readonly Insertable<DB["date_reservations"]>[];
  },
): Promise<void> {
  for (const rows of chunks(history.bookings)) await tx.insertInto("bookings").values(rows).execute();
  await insertSeedReservations(tx, history.reservations);
}
