import { chunks, type Tx } from "#platform/db/index.ts";
import { groupRow, type Posting } from "./store.ts";

export async function insertSeedPostings(tx: Tx, postings: readonly Posting[], newId: () => string): Promise<void> {
  const groups = postings.map((posting) => ({ id: newId(), ...groupRow(posting) }));
  for (const rows of chunks(groups, 400)) await tx.insertInto("ledger_groups").values(rows).execute();
  const entries = postings.flatMap((posting, index) =>
    posting.entries.map((entry) => ({ group_id: groups[index]?.id ?? "", ...entry })),
  );
  for (const rows of chunks(entries, 800)) await tx.insertInto("ledger_entries").values(rows).execute();
}
