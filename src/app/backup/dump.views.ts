/** The database as one SQL script for psql and PostgreSQL 15 or later. Foreign keys and triggers are off while rows are inserted. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { type RawBuilder, sql } from "kysely";
import type { Config } from "#platform/config.ts";
import { chunks, type Database, migrationsFolder, type Tx } from "#platform/db/index.ts";
import { filesFolder } from "#platform/files/adapters/disk.ts";

const rowsPerFetch = 200;
/** Longer statements take longer per row: PostgreSQL returns their memory to the system and requests it again. */
const rowsPerInsert = 40;

export type Write = (part: string) => Promise<void>;

type Column = { name: string; identity: boolean };
type Key = { table: string; name: string; definition: string };

/** Writes one consistent snapshot. It includes personal data, and secrets only encrypted: the root key is not in the database. */
export function dumpDatabase(database: Database, write: Write, { dataDir, s3 }: Pick<Config, "dataDir" | "s3">) {
  const aboutFiles = s3 ? aboutBucket(s3.bucket) : aboutFolder(filesFolder(dataDir));
  return inSnapshot(database, async (tx) => {
    await write(
      `-- Stagedoor, whole database. Restore into an empty one: psql -v ON_ERROR_STOP=1 -f FILE\n${aboutFiles(await countFiles(tx))}\n`,
    );
    await writeScript(tx, write);
  });
}

export function inSnapshot<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read read only`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    return work(tx);
  });
}

/** Writes schema and rows as one transaction of SQL, in parts of whole statements. Returns the number of rows of each table. */
export async function writeScript(tx: Tx, write: Write): Promise<Record<string, number>> {
  const tables = await readTables(tx);
  const keys = await readForeignKeys(tx);
  await write(opening);
  await writeSchema(tx, write);
  await write(keys.map((key) => `alter table ${key.table} drop constraint ${key.name};\n`).join(""));
  await write(tables.map((table) => `alter table ${table} disable trigger user;\n`).join(""));
  await write(`truncate ${tables.join(", ")};\n`);
  await write(dropIndexes);
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table] = await writeRows(tx, table, write);
  await write(buildIndexes);
  await write(keys.map((key) => `alter table ${key.table} add constraint ${key.name} ${key.definition};\n`).join(""));
  await write(tables.map((table) => `alter table ${table} enable trigger user;\n`).join(""));
  await write("commit;\n");
  return rows;
}

/** Uploaded files are not in the script: the operator copies them separately. */
const notInside = (count: number) =>
  `-- Uploaded files are not in this script (${count} upload${count === 1 ? "" : "s"} when it was written).`;
const aboutFolder = (folder: string) => (count: number) =>
  `${notInside(count)} Copy the folder ${JSON.stringify(folder)} beside it, and put it back as DATA_DIR/files.\n`;
const aboutBucket = (bucket: string) => (count: number) =>
  `${notInside(count)} They are in the S3 bucket ${JSON.stringify(bucket)}: copy it too, and give the restored installation the copy. Two installations on one bucket delete each other's files.\n`;

async function countFiles(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from artist_files)::int + (select count(*) from artist_samples)::int as count`.execute(tx);
  return rows[0]?.count ?? 0;
}

const opening = `set client_encoding = 'UTF8';
set standard_conforming_strings = on;
set client_min_messages = warning;
begin;
create table migrations (name text primary key, at timestamptz not null default now());
`;

/** Drops the indexes of the migrations, except those of constraints: one build from all rows takes a tenth of the time. Runs during the restore, so indexes that an operator added are not affected. */
const dropIndexes = `create temporary table dropped_indexes on commit drop as
  select indexrelid::regclass::text as name, concat_ws(';', pg_get_indexdef(indexrelid), (
      select string_agg(format('alter index %s alter column %s set statistics %s', attrelid::regclass, attnum, attstattarget), ';')
      from pg_attribute where attrelid = indexrelid and attstattarget > -1)) as definition
  from pg_index join pg_class c on c.oid = indrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid);
do $$ declare one record; begin
  for one in select name from dropped_indexes loop execute 'drop index ' || one.name; end loop;
end $$;
`;
const buildIndexes = `do $$ declare one record; begin
  for one in select definition from dropped_indexes order by name loop execute one.definition; end loop;
end $$;
`;

export async function readTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`.execute(tx);
  return rows.map((table) => table.name);
}

async function readForeignKeys(tx: Tx): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`.execute(tx);
  return rows;
}

async function writeSchema(tx: Tx, write: Write): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(tx);
  for (const { name } of rows)
    await write(`\n-- ${name}\n${readFileSync(path.join(migrationsFolder, name), "utf8").trimEnd()}\n;\n`);
}

async function readColumns(tx: Tx, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select quote_ident(attname) as name, attidentity <> '' as identity from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    tx,
  );
  return rows;
}

/** Yields batches through a cursor, because a table may not fit in memory. */
export async function* readAll<Row>(tx: Tx, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare all_rows no scroll cursor for ${query}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(rowsPerFetch))} from all_rows`.execute(tx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close all_rows`.execute(tx);
}

/** The database formats the values of each row as text, because both engines must write the same. */
async function writeRows(tx: Tx, table: string, write: Write): Promise<number> {
  const columns = await readColumns(tx, table);
  const values = columns.map((column) => `coalesce(quote_literal(${column.name}::text), 'null')`).join(" || ', ' || ");
  const into = `insert into ${table} (${columns.map((column) => column.name).join(", ")}) overriding system value values\n`;
  let count = 0;
  for await (const rows of readAll(
    tx,
    sql<{ line: string }>`select ${sql.raw(values)} as line from ${sql.raw(table)}`,
  )) {
    count += rows.length;
    const inserts = [...chunks(rows, rowsPerInsert)].map(
      (some) => into + some.map((row) => `(${row.line})`).join(",\n"),
    );
    await write(`${inserts.join(";\n")};\n`);
  }
  await write(`-- rows of ${table}: ${count}\n`);
  for (const column of columns) if (column.identity) await writeSequence(tx, table, column.name, write);
  return count;
}

async function writeSequence(tx: Tx, table: string, column: string, write: Write): Promise<void> {
  // The function takes the column's plain name, not the quoted one.
  const found = await sql<{ name: string }>`
    select pg_get_serial_sequence(${table}, ${column.replaceAll('"', "")}) as name`.execute(tx);
  const [sequence] = found.rows;
  if (!sequence) throw new Error(`no sequence was found for ${table}.${column}`);
  const { rows } = await sql<{ value: string; called: boolean }>`
    select last_value::text as value, is_called as called from ${sql.raw(sequence.name)}`.execute(tx);
  for (const { value, called } of rows)
    await write(`do $$ begin perform setval('${sequence.name}', ${value}, ${called}); end $$;\n`);
}
