/** Stores past contracts in bulk for the demo market. */
import type { Insertable } from "kysely";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";

/** Inserts the rows as they are; the caller is responsible for terms that agree with their booking. */
export async function insertSeedContracts(tx: Tx, contracts: readonly Insertable<DB["contracts"]>[]): Promise<void> {
  for (const rows of chunks(contracts)) await tx.insertInto("contracts").values(rows).execute();
}
