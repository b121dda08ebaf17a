import { sql } from "kysely";
import type { Tx } from "#platform/db/index.ts";

/** Replaces the list of missing files. A file that is missing again after it was found must be accepted again. */
export async function recordMissingFiles(tx: Tx, names: readonly string[], now: Date): Promise<void> {
  await sql`delete from missing_files where name <> all(${[...names]}::text[])`.execute(tx);
  await sql`
    insert into missing_files (name, found_at) select name, ${now}::timestamptz from unnest(${[...names]}::text[]) name
    on conflict do nothing`.execute(tx);
}

export const acceptMissingFiles = (tx: Tx, now: Date) =>
  tx.updateTable("missing_files").set({ accepted_at: now }).where("accepted_at", "is", null).execute();
