/** Forward-only migrations: plain SQL files, applied in order of their names, each in its own transaction. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import { errorMessage } from "../errors.ts";
import type { Database, Tx } from "./handles.ts";

/** An arbitrary number that all processes share: one process migrates, the others wait. */
const migrationLock = sql`select pg_advisory_xact_lock(72617364)`;

export const migrationsFolder = path.resolve(import.meta.dirname, "../../../migrations");

/** Migrates and returns the applied files. `check` runs in each locked transaction first. Throws ConfigError with file and statement. */
export async function migrate(
  database: Database,
  {
    folder = migrationsFolder,
    check = async () => undefined,
  }: { folder?: string; check?: (tx: Tx) => Promise<void> } = {},
): Promise<string[]> {
  // Queried outside any transaction: a role without rights to change tables has nothing to do here.
  const { pending: missing } = await pendingMigrations(database, folder);
  for (const file of missing) {
    const text = readFileSync(path.join(folder, file), "utf8");
    await database.transaction((tx) => applyFile(tx, { file, text, check }));
  }
  return missing;
}

/** Returns how many migrations the database has, the missing ones in their order, and those of a newer version. */
export async function pendingMigrations(database: Database, folder = migrationsFolder) {
  const done = await appliedFiles(database);
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  const pending = files.filter((file) => !done.has(file)).sort();
  // An earlier file that is unknown was renamed since.
  const newest = files.sort().at(-1) ?? "";
  return { applied: done.size, pending, newer: [...done].filter((file) => file > newest).sort() };
}

/** Throws ConfigError if a newer version has migrated the database, because this one could write what that one misreads. */
export async function refuseNewerDatabase(database: Database, isAllowed: boolean): Promise<void> {
  if (isAllowed) return;
  const newest = (await pendingMigrations(database)).newer.at(-1);
  if (newest)
    throw new ConfigError(
      `The database belongs to a newer version of Stagedoor (${newest} is unknown here). Start that version, or restore the backup from before the upgrade with this one: docs/operate/upgrade.md. ALLOW_NEWER_DATABASE=1 starts this version anyway.`,
    );
}

export const newestMigration = (): string =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .at(-1)
    ?.replace(/\.sql$/, "") ?? "";

async function appliedFiles(database: Database): Promise<Set<string>> {
  const known = await sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`.execute(
    database.db,
  );
  if (!known.rows[0]?.there) return new Set();
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(database.db);
  return new Set(rows.map((row) => row.name));
}

/** Applies one file. Checks again inside the lock, because another process may have applied it. */
async function applyFile(
  tx: Tx,
  { file, text, check }: { file: string; text: string; check: (tx: Tx) => Promise<void> },
): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  await migrationLock.execute(tx);
  await check(tx);
  await sql`create table if not exists migrations (name text primary key, at timestamptz not null default now())`.execute(
    tx,
  );
  const { rows } = await sql`select 1 from migrations where name = ${file}`.execute(tx);
  if (rows.length > 0) return;
  for (const statement of statementsOf(text)) {
    try {
      await sql.raw(statement).execute(tx);
    } catch (error) {
      throw failedMigration(file, statement, error);
    }
  }
  await sql`insert into migrations (name) values (${file})`.execute(tx);
}

const maxQuoteLength = 160;

function failedMigration(file: string, statement: string, error: unknown): ConfigError {
  const reason = errorMessage(error).replaceAll(/\s+/g, " ");
  const line = statement.replaceAll(/\s+/g, " ");
  const quote = line.length > maxQuoteLength ? `${line.slice(0, maxQuoteLength)}…` : line;
  return new ConfigError(
    `The database was not changed by the migration ${file}, because its statement "${quote}" failed (${reason}).`,
    { cause: error },
  );
}

const piece = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^]/g;

function statementsOf(script: string): string[] {
  const statements = [""];
  for (const [part] of script.matchAll(piece)) {
    if (part === ";") statements.push("");
    else if (!/^(--|\/\*)/.test(part)) statements.push(`${statements.pop()}${part}`);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
