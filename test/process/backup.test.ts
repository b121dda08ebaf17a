import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkArchive, type Head, headName, readEntries, writeArchive } from "#app/backup/archive.ts";
import { createDatabase, dropDatabase, withClient } from "../served-databases.ts";
import { admin, emptyMarketFolder, endAll, freshFolder, launch, startServer } from "./server.ts";

const BACKUP_PASSPHRASE = "seven green violins";
const picture = "artist-pictures/0001/poster.png";
const demo = freshFolder();
const archive = path.join(freshFolder(), "demo.tar");
const small = path.join(freshFolder(), "small.tar");

const backup = (args: string[], env: Record<string, string>) => admin(["backup", ...args], env);
const restore = (file: string, env: Record<string, string>) => admin(["restore", file], env);
const entriesOf = async (file: string) => {
  const entries = [];
  for await (const entry of readEntries(file)) entries.push(entry);
  return entries;
};

beforeAll(async () => {
  const server = await startServer({ DATA_DIR: demo, SEED: "demo" });
  mkdirSync(path.dirname(path.join(demo, "files", picture)), { recursive: true });
  writeFileSync(path.join(demo, "files", picture), "a picture");
  const { code, output } = await backup([archive], { DATA_DIR: demo, BACKUP_PASSPHRASE });
  expect(output).toMatch(/The backup is in .*demo\.tar: \d+ rows of \d+ tables and \d+ files?/);
  expect(code).toBe(0);
  server.kill("SIGTERM");
  await server.ended;
  expect((await backup([small], { DATA_DIR: emptyMarketFolder() })).code).toBe(0);
});
afterAll(endAll);

test("writes a backup readable only by its owner, with the root key encrypted, and replaces no file", async () => {
  expect(statSync(archive).mode & 0o077).toBe(0);
  const rootKey = readFileSync(path.join(demo, "secrets.key"), "utf8").trim();
  for (const { bytes } of await entriesOf(archive)) expect(bytes.includes(rootKey)).toBe(false);
  expect((await entriesOf(small)).map(({ name }) => name)).not.toContain("root-key.json");
  const missing = path.join(freshFolder(), "none", "backup.tar");
  expect(await backup([missing], { DATA_DIR: demo })).toMatchObject({
    code: 1,
    output: expect.stringContaining("cannot be written"),
  });
  const interrupted = path.join(freshFolder(), "interrupted.tar");
  writeFileSync(`${interrupted}.part`, "");
  expect(await backup([interrupted], { DATA_DIR: demo })).toMatchObject({
    code: 1,
    output: expect.stringContaining("If none is being written, delete the file."),
  });
  const before = statSync(small).mtimeMs;
  expect(await backup([small], { DATA_DIR: demo })).toMatchObject({
    code: 1,
    output: expect.stringContaining("exists already"),
  });
  expect(statSync(small).mtimeMs).toBe(before);
});

test("restores a folder with the same market, files and key, and does not restore over it", async () => {
  const DATA_DIR = path.join(freshFolder(), "restored");
  expect(await restore(archive, { DATA_DIR })).toMatchObject({
    code: 1,
    output: expect.stringContaining("This backup contains the root key, encrypted. Set BACKUP_PASSPHRASE"),
  });
  expect(await restore(archive, { DATA_DIR, BACKUP_PASSPHRASE: "another long passphrase" })).toMatchObject({
    code: 1,
    output: expect.stringContaining("not the passphrase of this backup"),
  });
  const otherKey = path.join(DATA_DIR, "secrets.key");
  mkdirSync(DATA_DIR);
  writeFileSync(otherKey, randomBytes(32).toString("base64"), { mode: 0o600 });
  expect(await restore(archive, { DATA_DIR, BACKUP_PASSPHRASE })).toMatchObject({
    code: 1,
    output: expect.stringContaining("is the root key of another installation"),
  });
  expect(readdirSync(DATA_DIR)).toEqual(["secrets.key"]);
  rmSync(otherKey);
  const { code, output } = await restore(archive, { DATA_DIR, BACKUP_PASSPHRASE });
  expect(output).toMatch(/^Restored \d+ rows of \d+ tables and \d+ files?, as of [^\n]+\n$/);
  expect(code).toBe(0);
  expect(readFileSync(path.join(DATA_DIR, "files", picture), "utf8")).toBe("a picture");
  expect(existsSync(path.join(DATA_DIR, "restoring"))).toBe(false);
  const server = await startServer({ DATA_DIR, SEED: "demo" });
  expect(await (await fetch(`${server.address}/api/artists/count`)).json()).toMatchObject({ total: 124 });
  server.kill("SIGTERM");
  await server.ended;
  expect(await restore(archive, { DATA_DIR })).toMatchObject({
    code: 1,
    output: expect.stringContaining("There is a database in"),
  });
});

test("refuses a damaged, truncated or newer archive in one line, and changes nothing", async () => {
  const DATA_DIR = path.join(freshFolder(), "untouched");
  const folder = freshFolder();
  const head = JSON.parse((await entriesOf(small))[0]?.bytes.toString() ?? "{}") as Head;
  const made = async (name: string, changed: Partial<Head>) => {
    const file = path.join(folder, name);
    await writeArchive(file, async (add) => {
      await add(headName, Buffer.from(JSON.stringify({ ...head, ...changed })));
      return { rows: {}, sums: {}, files: 0 };
    });
    return file;
  };
  const whole = readFileSync(small);
  const written = (name: string, bytes: Buffer) => {
    writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const flipped = Buffer.from(whole);
  flipped[Math.floor(whole.length / 2)] = (flipped[Math.floor(whole.length / 2)] ?? 0) ^ 1;
  const { manifest } = await checkArchive(small);
  const withoutEnd = whole.subarray(
    0,
    whole.length - 1024 - 512 * Math.ceil(JSON.stringify(manifest, null, 1).length / 512 + 2),
  );
  const broken: [string, RegExp][] = [
    [written("half.tar", whole.subarray(0, whole.length / 2)), /damaged or cut off/],
    [written("without-end.tar", withoutEnd), /cut off/],
    [written("flipped.tar", flipped), /damaged/],
    [written("empty.tar", Buffer.alloc(0)), /cut off/],
    [written("picture.tar", randomBytes(2048)), /cannot be read as a backup/],
    [await made("format.tar", { format: 2 }), /newer version of Stagedoor/],
    [
      await made("schema.tar", { migrations: [...head.migrations, "9999_later.sql"], version: "9.0.0" }),
      /newer version .*9\.0\.0.*9999_later/,
    ],
    [path.join(folder, "missing.tar"), /There is no file/],
  ];
  for (const [file, message] of broken) {
    const { code, output } = await restore(file, { DATA_DIR });
    expect({ file, code, lines: output.trim().split("\n").length }).toEqual({ file, code: 1, lines: 1 });
    expect(output).toMatch(message);
    expect(existsSync(DATA_DIR)).toBe(false);
  }
});

const served = process.env["DATABASE_URL_TEST"] ?? "";

test.skipIf(!served)("moves to PostgreSQL and back with every row and every cent", async () => {
  const name = `restore_${randomBytes(6).toString("hex")}`;
  const DATABASE_URL = await createDatabase(served, name);
  const DATA_DIR = freshFolder();
  try {
    const cut = path.join(freshFolder(), "cut.tar");
    writeFileSync(cut, readFileSync(archive));
    truncateSync(cut, statSync(archive).size - 4096);
    expect((await restore(cut, { DATA_DIR, DATABASE_URL })).code).toBe(1);
    const env = { DATA_DIR, DATABASE_URL, BACKUP_PASSPHRASE };
    expect(await restore(archive, env)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(DATA_DIR, "files", picture), "utf8")).toBe("a picture");
    expect((await restore(archive, env)).output).toContain("is not empty");
    // An operator's own index does not prevent the restore of a backup.
    await withClient(DATABASE_URL, (client) => client.query("create index of_the_operator on bookings (venue_name)"));
    const again = path.join(freshFolder(), "again.tar");
    expect(await backup([again], env)).toMatchObject({ code: 0 });
    const [first, second] = [await checkArchive(archive), await checkArchive(again)];
    expect(second.manifest.rows).toEqual(first.manifest.rows);
    expect(second.manifest.sums).toEqual(first.manifest.sums);
    expect(Object.keys(first.manifest.sums).length).toBeGreaterThan(2);
    const { code, output } = await backup(["verify", again], {});
    expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining("FAILED") });
    expect(output).toContain("ok      every table has its rows");
    expect(output).toContain("ok      every ledger group sums to zero");
    await killedOnPostgres(name, path.join(freshFolder(), "killed"));
  } finally {
    await dropDatabase(served, name);
  }
});

test.skipIf(!served)("ends a command of a demo if the bucket of files cannot be used", async () => {
  const name = `bucket_${randomBytes(6).toString("hex")}`;
  const DATABASE_URL = await createDatabase(served, name);
  try {
    const keys = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
    const env = { DATA_DIR: freshFolder(), DATABASE_URL, DEMO: "1", ...keys, S3_ENDPOINT: "http://127.0.0.1:9" };
    expect(await admin(["verify"], env)).toMatchObject({ code: 1, output: expect.stringContaining("cannot be used") });
  } finally {
    await dropDatabase(served, name);
  }
});

/** Kills a restore during its transaction. The database stays empty and accepts the next restore. */
async function killedOnPostgres(name: string, DATA_DIR: string): Promise<void> {
  await dropDatabase(served, name);
  const DATABASE_URL = await createDatabase(served, name);
  const env = { DATA_DIR, DATABASE_URL, BACKUP_PASSPHRASE };
  const { child, ended } = launch("src/app/admin/main.ts", ["restore", archive], env);
  await withClient(served, async (client) => {
    const inserting = "select 1 from pg_stat_activity where datname = $1 and query like 'insert into%'";
    while (child.exitCode === null && (await client.query(inserting, [name])).rowCount === 0) await pause(5);
  });
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  const tables = "select count(*)::int as n from pg_tables where schemaname = 'public'";
  expect((await withClient(DATABASE_URL, (client) => client.query<{ n: number }>(tables))).rows).toEqual([{ n: 0 }]);
  expect(await restore(archive, env)).toMatchObject({ code: 0 });
}
