import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";

/** Returns true if the posting took a part of what was still to be sent to the artist. */
export async function isTakenFromUnsent(reader: Reader, cause: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.cause_key = ${cause} and e.account like 'artist_payable:%' and e.amount > 0`.execute(reader);
  return rows.length > 0;
}
