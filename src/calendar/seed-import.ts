import type { Insertable } from "kysely";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

export async function insertSeedReservations(tx: Tx, reservations: readonly Insertable<DB["date_reservations"]>[]) {
  for (const rows of chunks(reservations)) await tx.insertInto("date_reservations").values(rows).execute();
}
