/** Forward-only migrations: plain SQL files, applied in order of their names, each in a transaction of its own. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import type { Database } from "./handles.ts";

/** Any number that all processes agree on: the process that has this lock migrates, the others wait and find it done. */
const migrationLock = 726_173_64;

export const migrationsFolder = path.resolve(import.meta.dirname, "../../../migrations");

/** Brings the schema up to date and returns the names of the files it applied. */
export async function migrate(database: Database, folder = migrationsFolder): Promise<string[]> {
  // "create table if not exists" asks for the right to create even where the table exists, and a role that only works has none.
  const known = await sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`.execute(
    database.db,
  );
  if (!known.rows[0]?.there)
    await database.exec(
      "create table if not exists migrations (name text primary key, at timestamptz not null default now())",
    );
  const present = await sql<{ name: string }>`select name from migrations`.execute(database.db);
  const done = new Set(present.rows.map((row) => row.name));
  const missing = readdirSync(folder)
    .filter((file) => file.endsWith(".sql") && !done.has(file))
    .sort();
  for (const file of missing) await database.exec(scriptFor(file, readFileSync(path.join(folder, file), "utf8")));
  return missing;
}

/** Another process may have been faster: the guard inside the lock makes the second one a no-op. */
function scriptFor(file: string, text: string): string {
  const tag = `$migration_${file.replaceAll(/\W/g, "_")}$`;
  return `begin;
select pg_advisory_xact_lock(${migrationLock});
do $outer$ begin
  if not exists (select 1 from migrations where name = '${file}') then
    execute ${tag}${text}${tag};
    insert into migrations (name) values ('${file}');
  end if;
end $outer$;
commit;`;
}
