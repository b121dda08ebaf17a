/** A fresh, migrated database per test file: embedded in memory, or a copy of a template on a real PostgreSQL. */

import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { migratedImage } from "#platform/db/embedded.ts";
import { type Database, migrate, migrationsFolder, openDatabase } from "#platform/db/index.ts";
import { createDatabase, databaseUrl, dropDatabase, withClient } from "./served-databases.ts";

export type TestDatabase = { database: Database; url: string | undefined; drop(): Promise<void> };

/** Returns the engine of this run, which the vitest project sets. */
export const testEngine = (): "embedded" | "postgres" =>
  process.env["TEST_ENGINE"] === "postgres" ? "postgres" : "embedded";

/** Opens a separate database. On PostgreSQL this requires DATABASE_URL_TEST with the right to create databases. */
export async function freshDatabase(engine = testEngine()): Promise<TestDatabase> {
  if (engine === "postgres") return freshServed();
  const database = await openDatabase({ image: await embeddedImage() });
  return { database, url: undefined, drop: async () => database.close() };
}

/** Returns the migrated embedded database as one file, made once per state of the migrations and shared by all workers. */
export async function embeddedImage(): Promise<Blob> {
  const file = path.join(tmpdir(), `stagedoor-small-image-${migrationsHash()}.tar`);
  if (!existsSync(file)) {
    const image = await migratedImage(async (exec) => {
      await exec("create table migrations (name text primary key, at timestamptz not null default now())");
      for (const name of migrationFiles()) {
        await exec(readFileSync(path.join(migrationsFolder, name), "utf8"));
        await exec(`insert into migrations (name) values ('${name}')`);
      }
    });
    const half = `${file}.${process.pid}`;
    writeFileSync(half, Buffer.from(await image.arrayBuffer()));
    renameSync(half, file);
  }
  return new Blob([readFileSync(file)]);
}

const migrationFiles = () =>
  readdirSync(migrationsFolder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

function migrationsHash(): string {
  const hash = createHash("sha256");
  for (const name of migrationFiles()) hash.update(name).update(readFileSync(path.join(migrationsFolder, name)));
  return hash.digest("hex").slice(0, 16);
}

async function freshServed(): Promise<TestDatabase> {
  const server = process.env["DATABASE_URL_TEST"];
  if (!server) throw new Error("DATABASE_URL_TEST is not set: npm test starts a PostgreSQL and sets it");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(server, name, await (template ??= templateOn(server)));
  // Minutes instead of the product's seconds, for a busy machine.
  const database = await openDatabase({ url, poolSize: 10, statementMs: 60_000 });
  return {
    database,
    url,
    drop: async () => {
      await database.close();
      await dropDatabase(server, name);
    },
  };
}

let template: Promise<string> | undefined;

/** Returns a migrated database to copy from, made once per state of the migrations. */
async function templateOn(server: string): Promise<string> {
  const name = `template_${migrationsHash()}`;
  await withClient(server, async (client) => {
    await client.query("select pg_advisory_lock(726173)");
    const known = await client.query("select 1 from pg_database where datname = $1 and datistemplate", [name]);
    if (known.rowCount) return;
    await client.query(`drop database if exists ${name}`);
    await client.query(`create database ${name}`);
    const database = await openDatabase({ url: databaseUrl(server, name), poolSize: 1 });
    await migrate(database);
    await database.close();
    await client.query(`alter database ${name} with is_template true`);
  });
  return name;
}
