import type { Insertable } from "kysely";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

export async function insertSeedContracts(tx: Tx, contracts: readonly Insertable<DB["contracts"]>[]): Promise<void> {
  for (const rows of chunks(contracts)) await tx.insertInto("contracts").values(rows).execute();
}
