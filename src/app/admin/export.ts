/** The business records as JSON lines, `{"table":…,"row":…}`, without secrets, internal tables and email texts. Only the dump can be restored. */

import { sql } from "kysely";
import type { Database } from "#platform/db/index.ts";
import { operatorColumns, withAllowedKeys } from "#platform/personal-data/data-export.ts";
import { inSnapshot, readAll, type Write } from "../backup/dump.views.ts";
import { personalDataTables } from "../personal-data/index.ts";

export const exportedTables = [
  "settings",
  "users",
  "profiles",
  "artists",
  "artist_media",
  "artist_samples",
  "profile_claims",
  "bookings",
  "contracts",
  "holds",
  "hold_nights",
  "hold_challenges",
  "date_reservations",
  "payments",
  "provider_charges",
  "refunds",
  "payouts",
  "transfers",
  "transfer_reversals",
  "disputes",
  "documents",
  "ledger_groups",
  "ledger_entries",
  "reviews",
  "review_replies",
  "review_reports",
  "contact_messages",
  "activity",
] as const;

/** The snapshot includes personal data: protect the file like the database. */
export function exportData(database: Database, write: Write): Promise<void> {
  return inSnapshot(database, async (tx) => {
    for (const table of exportedTables) {
      const list = personalDataTables.find((one) => one.table === table);
      if (!list) throw new Error(`${table} is not listed in src/app/personal-data`);
      const columns = sql.join(operatorColumns(list).map((name) => sql.ref(name)));
      const all = sql<{ row: Record<string, unknown> }>`
        select to_jsonb(kept) as row from (select ${columns} from ${sql.table(table)} order by 1) kept`;
      for await (const rows of readAll(tx, all))
        await write(
          rows.map(({ row }) => `${JSON.stringify({ table, row: withAllowedKeys(row, list.jsonKeys) })}\n`).join(""),
        );
    }
  });
}
