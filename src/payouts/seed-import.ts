import type { Insertable } from "kysely";
import { chunks, type DB, type Tx } from "#platform/db/index.ts";

export type SeedPayouts = Readonly<{
  payouts: readonly Insertable<DB["payouts"]>[];
  transfers: readonly Insertable<DB["transfers"]>[];
  accounts: readonly Insertable<DB["artist_connect"]>[];
}>;

export async function insertSeedPayouts(tx: Tx, { payouts, transfers, accounts }: SeedPayouts): Promise<void> {
  for (const rows of chunks(payouts)) await tx.insertInto("payouts").values(rows).execute();
  for (const rows of chunks(transfers)) await tx.insertInto("transfers").values(rows).execute();
  for (const rows of chunks(accounts)) await tx.insertInto("artist_connect").values(rows).execute();
}
