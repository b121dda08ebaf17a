import type { Insertable } from "kysely";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

/** Inserts entries with their own times. Does not remove secrets, because the seed has none. */
export async function insertSeedActivity(tx: Tx, entries: readonly Insertable<DB["activity"]>[]): Promise<void> {
  for (const rows of chunks(entries)) await tx.insertInto("activity").values(rows).execute();
}
