import type { Insertable } from "kysely";
import { chunks } from "#platform/db/chunks.ts";
import type { DB, Tx } from "#platform/db/index.ts";
import type { Entry } from "./store.ts";

export type SeedPosting = Readonly<{
  group: Insertable<DB["ledger_groups"]> & { id: string };
  entries: readonly Entry[];
}>;

export async function insertSeedPostings(tx: Tx, postings: readonly SeedPosting[]): Promise<void> {
  const groups = postings.map(({ group }) => group);
  for (const rows of chunks(groups, 400)) await tx.insertInto("ledger_groups").values(rows).execute();
  const entries = postings.flatMap(({ group, entries: own }) => own.map((entry) => ({ group_id: group.id, ...entry })));
  for (const rows of chunks(entries, 800)) await tx.insertInto("ledger_entries").values(rows).execute();
}
