import type { Insertable } from "kysely";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";

/** Inserts the entries with the times they carry. They hold nothing secret: the seed writes them. */
export async function insertSeedActivity(tx: Tx, entries: readonly Insertable<DB["activity"]>[]): Promise<void> {
  for (const rows of chunks(entries)) await tx.insertInto("activity").values(rows).execute();
}
