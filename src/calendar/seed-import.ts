/** Stores the reservations of the demo market's past in bulk. */
import type { Insertable } from "kysely";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";

/** Inserts the rows; the database rejects dates sold twice. */
export async function insertSeedReservations(
  tx: Tx,
  reservations: readonly Insertable<DB["date_reservations"]>[],
): Promise<void> {
  for (const rows of chunks(reservations)) await tx.insertInto("date_reservations").values(rows).execute();
}
