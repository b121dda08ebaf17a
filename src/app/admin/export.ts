/**
 * What the business has to keep, in a form that any other program reads: one JSON object per line, `{"table":…,"row":…}`.
 * Secrets of accounts, machinery and the words of letters stay here; the dump is the copy that can be restored.
 */
import { sql } from "kysely";
import type { Database } from "#platform/db/index.ts";
import type { Write } from "./dump.ts";

const rowsAtOnce = 500;

/** The tables, in an order in which every reference points backwards. */
export const exportedTables = [
  "settings",
  "users",
  "profiles",
  "artists",
  "artist_media",
  "profile_claims",
  "bookings",
  "contracts",
  "date_reservations",
  "payments",
  "provider_charges",
  "refunds",
  "ledger_groups",
  "ledger_entries",
  "reviews",
  "contact_messages",
  "activity",
] as const;

/** What opens an account or a checkout is left out wherever it stands. */
const secret = /hash|secret|token|nonce|password|asked_with/;

/** Writes the lines of one consistent moment. Holds personal data: keep the file as you keep the database. */
export function exportMarket(database: Database, write: Write): Promise<void> {
  return database.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    for (const table of exportedTables) {
      const columns = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(tx);
      const kept = columns.rows.map(({ name }) => name).filter((name) => !secret.test(name));
      await sql`declare all_rows no scroll cursor for
        select row_to_json(kept)::text as row from (select ${sql.join(kept.map((name) => sql.ref(name)))} from ${sql.table(table)} order by 1) kept`.execute(
        tx,
      );
      for (;;) {
        const { rows } = await sql<{ row: string }>`fetch ${sql.raw(String(rowsAtOnce))} from all_rows`.execute(tx);
        if (rows.length === 0) break;
        await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(""));
      }
      await sql`close all_rows`.execute(tx);
    }
  });
}
