import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { type Database, migrate, openDatabase } from "#platform/db/index.ts";
import { trialPrefix } from "../backup/archive-names.ts";
import type { Manifest } from "../backup/archive.ts";
import { readSums } from "../backup/backup.views.ts";
import { inSnapshot, readTables } from "../backup/dump.views.ts";
import { restoreBackup } from "../backup/restore.ts";
import { checkIntegrity } from "./verify.ts";

type BackupFinding = { check: string; wrong: string | undefined };

/** Restores the archive to a temporary folder and compares it with its manifest. Throws ConfigError if it cannot be restored. */
export async function checkBackup(file: string) {
  const folder = mkdtempSync(path.join(tmpdir(), trialPrefix));
  try {
    const target = { dataDir: folder, databaseUrl: undefined, secretsKey: undefined };
    const { head, manifest } = await restoreBackup(file, target, { trial: true });
    const database = await openDatabase({ dataDir: folder });
    try {
      return { head, manifest, findings: await compare(database, manifest) };
    } finally {
      await database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares rows and sums before the rules, because the rules of this version need an upgraded schema. */
async function compare(database: Database, manifest: Manifest): Promise<BackupFinding[]> {
  const { rows, sums } = await inSnapshot(database, async (tx) => {
    const counted: Record<string, number> = {};
    for (const table of await readTables(tx)) {
      const [row] = (await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(table)}`.execute(tx))
        .rows;
      counted[table] = row?.count ?? 0;
    }
    return { rows: counted, sums: await readSums(tx) };
  });
  await migrate(database);
  const rules = await checkIntegrity(database.db);
  return [
    { check: "every table has its rows", wrong: firstDifference(manifest.rows, rows) },
    { check: "the ledger has its sums", wrong: firstDifference(manifest.sums, sums) },
    ...rules.map(({ check, count, example }) => ({
      check,
      wrong: count ? `${count}, for example ${example}` : undefined,
    })),
  ];
}

function firstDifference(expected: Record<string, unknown>, found: Record<string, unknown>): string | undefined {
  const name = [...new Set([...Object.keys(expected), ...Object.keys(found)])].find(
    (key) => expected[key] !== found[key],
  );
  return name && `${name} is ${String(found[name] ?? "missing")}, and was ${String(expected[name] ?? "missing")}`;
}
