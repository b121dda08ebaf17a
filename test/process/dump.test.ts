import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, openDatabase } from "#platform/db/index.ts";
import { createDatabase, dropDatabase, withClient } from "../served-databases.ts";
import { admin, endAll, freshFolder, root, type Server, startServer } from "./server.ts";

const DATA_DIR = freshFolder();
let server: Server;

beforeAll(async () => {
  server = await startServer({ DATA_DIR, SEED: "demo" });
});
afterAll(endAll);

test("finds nothing wrong with verify in the demo market of a running server", async () => {
  const { code, output } = await admin(["verify"], { DATA_DIR });
  expect(output).not.toContain("FAILED");
  expect(output).toContain("every ledger group sums to zero");
  expect(code).toBe(0);
});

test("lists the known commands and fails for an unknown one", async () => {
  const { code, output } = await admin(["dance"], { DATA_DIR });
  expect(code).toBe(1);
  expect(output).toContain("make-admin EMAIL");
});

test("refuses an unknown user with make-admin, and promotes a verified one", async () => {
  expect(await admin(["make-admin", "nobody@example.test"], { DATA_DIR })).toMatchObject({ code: 1 });
  const { code, output } = await admin(["make-admin", "promoter@demo.test"], { DATA_DIR });
  expect(output).toContain("is an admin now");
  expect(code).toBe(0);
});

test("reports a missing data folder, and creates neither it nor a file", async () => {
  const folder = freshFolder();
  for (const words of [["verify"], ["dump", path.join(folder, "dump.sql")]]) {
    const { code, output } = await admin(words, { DATA_DIR: path.join(folder, "none") });
    expect(code).toBe(1);
    expect(output).toContain("There is no database in");
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("ends without an error message if the reader of its output ends first", () => {
  const command = `"${process.execPath}" src/app/admin/main.ts export - | head -c 1`;
  const env = { ...process.env, DATA_DIR, LOG_LEVEL: "error" };
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "{", stderr: "" });
});

test("exports the market line by line without credentials", async () => {
  const file = path.join(freshFolder(), "market.jsonl");
  const { code, output } = await admin(["export", file], { DATA_DIR });
  expect(output).toContain("The market is in");
  expect(code).toBe(0);
  expect(statSync(file).mode & 0o077).toBe(0);
  const text = readFileSync(file, "utf8");
  const lines = text.trimEnd().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
  const names = rows.filter(({ table }) => table === "artists").map(({ row }) => row["slug"]);
  expect(names).toContain("electric-dreams");
  expect(names.length).toBeGreaterThanOrEqual(120);
  for (const table of ["users", "bookings", "payments", "ledger_entries"])
    expect(rows.some((line) => line.table === table)).toBe(true);
  expect(text).not.toMatch(
    /argon2|"password_hash"|"access_key_hash"|"form_key"|"checkout_url"|ApiKeySealed|private_key/,
  );
});

const served = process.env["DATABASE_URL_TEST"] ?? "";

test.skipIf(!served)("restores a dump into PostgreSQL without an error, with every row and every index", async () => {
  const file = path.join(freshFolder(), "dump.sql");
  const { code, output } = await admin(["dump", file], { DATA_DIR });
  expect(output).toContain("The database is in");
  expect(output).toContain("Uploaded files are not in it");
  expect(readFileSync(file, "utf8")).toContain(`Copy the folder ${JSON.stringify(path.join(DATA_DIR, "files"))}`);
  expect(code).toBe(0);
  expect(statSync(file).mode & 0o077).toBe(0);
  const rootKey = readFileSync(path.join(DATA_DIR, "secrets.key"), "utf8").trim();
  expect(rootKey).toHaveLength(44);
  expect(readFileSync(file, "utf8")).not.toContain(rootKey);

  const name = `dump_${randomBytes(6).toString("hex")}`;
  const migrated = `${name}_migrated`;
  const url = await createDatabase(served, name);
  try {
    execFileSync("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-f", file, url], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    server.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
    const again = path.join(freshFolder(), "again.sql");
    expect((await admin(["dump", again], { DATA_DIR })).code).toBe(0);
    const counts = await withClient(url, countRows);
    expect(counts["artists"]).toBeGreaterThanOrEqual(120);
    expect(counts).toEqual(countDumped(readFileSync(file, "utf8"), Object.keys(counts)));
    const fresh = await createDatabase(served, migrated);
    const database = await openDatabase({ url: fresh });
    await migrate(database);
    await database.close();
    expect(await withClient(url, listIndexes)).toEqual(await withClient(fresh, listIndexes));
  } finally {
    for (const each of [name, migrated]) await dropDatabase(served, each);
  }
});

/** Returns each index with its constraint and its planner statistics target. */
async function listIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', pg_get_indexdef(i.indexrelid), indisvalid, (select string_agg(conname, ' ' order by conname)
        from pg_constraint where conindid = i.indexrelid), (select string_agg(attstattarget::text, ' ' order by attnum)
        from pg_attribute where attrelid = i.indexrelid)) as line
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace order by 1`);
  expect(rows.length).toBeGreaterThan(100);
  return rows.map(({ line }) => line);
}

async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const result = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`);
    counts[name] = result.rows[0]?.n ?? -1;
  }
  return counts;
}

/** Counts the rows of a dump's inserts by their opening lines. */
function countDumped(script: string, tables: string[]): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(tables.map((table) => [table, 0]));
  const inserts = script.matchAll(/^-- rows of (\w+): (\d+)$/gm);
  for (const [, table = "", rows = ""] of inserts) counts[table] = (counts[table] ?? 0) + Number(rows);
  return counts;
}
