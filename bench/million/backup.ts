/** Measures backup and restore of a million artists and bookings. Takes minutes, so it runs only by name: npm run bench -- million-backup */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { type Database, openDatabase } from "#platform/db/index.ts";
import { freshDatabase } from "#test/database.ts";
import { createDatabase, databaseUrl, dropDatabase } from "#test/served-databases.ts";
import { nodeEnvironment, root } from "../fixture.ts";
import { atMost, type Figure } from "../report.ts";
import { loadPayments } from "./payment-search.ts";

const million = 1_000_000;
const maxSeconds = 600;
const restored = "restored_million";

const ledgerSql = `
  insert into ledger_groups (cause_key, kind, booking_id, payment_id) select 'bench ' || id, 'deposit_paid', booking_id, id from payments;
  insert into ledger_entries (group_id, account, amount, currency)
    select g.id, entry.account, entry.amount, p.currency from ledger_groups g join payments p on p.id = g.payment_id,
      lateral (values ('psp_clearing', p.amount), ('held:' || p.booking_id, -p.amount)) entry (account, amount);`;

export async function benchMillionBackup(): Promise<Figure[]> {
  const server = process.env["DATABASE_URL_TEST"] ?? "";
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-million-"));
  const place = await freshDatabase("postgres");
  try {
    await loadPayments(place.database, million, ledgerSql);
    const before = await contentOf(place.database);
    const archive = path.join(folder, "million.tar");
    const backup = await seconds(["backup", archive], place.url ?? "", path.join(folder, "one"));
    await createDatabase(server, restored);
    const restore = await seconds(["restore", archive], databaseUrl(server, restored), path.join(folder, "two"));
    const after = await openDatabase({ url: databaseUrl(server, restored) });
    const content = await contentOf(after);
    await after.close();
    if (content !== before) throw new Error(`the restored database differs: ${content}\n${before}`);
    console.log(`  ${content}`);
    const note = `backup ${backup.toFixed(0)} s, ${Math.round(statSync(archive).size / 1e6)} MB`;
    return [atMost("backup and restore of a million", backup + restore, maxSeconds, "s", note)];
  } finally {
    await dropDatabase(server, restored);
    await place.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function contentOf({ db }: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select 'artists ' || count(*) as line from artists union all select 'bookings ' || count(*) || ' ' || sum(fee_cents) from bookings
    union all select 'payments ' || count(*) || ' ' || sum(amount) from payments
    union all select split_part(account, ':', 1) || ' ' || count(*) || ' ' || sum(amount) from ledger_entries
      group by split_part(account, ':', 1) order by 1`.execute(db);
  return rows.map(({ line }) => line).join(", ");
}

async function seconds(args: string[], DATABASE_URL: string, DATA_DIR: string): Promise<number> {
  const began = performance.now();
  const env = { ...nodeEnvironment, DATABASE_URL, DATA_DIR, DEMO: "1" };
  const child = spawn(process.execPath, ["src/app/admin/main.ts", ...args], { cwd: root, env, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return (performance.now() - began) / 1_000;
}
