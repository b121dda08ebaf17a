import { sql } from "kysely";
import { mediaBucket } from "#artists/media.rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Files } from "#platform/files/adapters/disk.ts";
import { brandBucket, logoFileOf } from "#settings/logo/logo.rules.ts";

/** Returns the names of the uploaded files that the database needs. An older schema may lack some of the tables. */
export async function listNamedFiles(reader: Reader): Promise<string[]> {
  const names: string[] = [];
  for (const table of ["artist_files", "artist_samples"]) {
    if (!(await hasTable(reader, table))) continue;
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(reader);
    names.push(...rows.map(({ name }) => `${mediaBucket}/${name}`));
  }
  const logo = logoFileOf(await readLogo(reader));
  return logo === undefined ? names : [...names, `${brandBucket}/${logo}`];
}

async function hasTable(reader: Reader, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(reader);
  return rows[0]?.there ?? false;
}

async function readLogo(reader: Reader): Promise<string> {
  if (!(await hasTable(reader, "settings"))) return "";
  const { rows } = await sql<{ logo: string | null }>`
    select value->>'logoUrl' as logo from settings where scope = 'platform'`.execute(reader);
  return rows[0]?.logo ?? "";
}

/** Returns those of `named` that are not in `present`, without files that were deleted since `named` was read. */
export async function missingAmong(reader: Reader, named: readonly string[], present: ReadonlySet<string>) {
  const missing = named.filter((name) => !present.has(name));
  if (missing.length === 0) return [];
  const still = new Set(await listNamedFiles(reader));
  return missing.filter((name) => still.has(name));
}

/** Returns the names without the lost files that the operator accepted. */
export async function withoutAccepted(reader: Reader, missing: readonly string[]): Promise<string[]> {
  if (missing.length === 0 || !(await hasTable(reader, "missing_files"))) return [...missing];
  const { rows } = await sql<{ name: string }>`
    select name from missing_files where accepted_at is not null`.execute(reader);
  const accepted = new Set(rows.map(({ name }) => name));
  return missing.filter((name) => !accepted.has(name));
}

/** Returns the files that the database names and the store lacks, also accepted ones. */
export async function findMissingFiles(reader: Reader, files: Pick<Files, "pages">): Promise<string[]> {
  const named = await listNamedFiles(reader);
  const present = new Set<string>();
  if (named.length > 0) for await (const page of files.pages("")) for (const { name } of page) present.add(name);
  return missingAmong(reader, named, present);
}
