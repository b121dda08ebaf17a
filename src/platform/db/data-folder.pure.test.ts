import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigError } from "../config.ts";
import { readSecretFile, secretFile } from "../security/secret-file.ts";
import { prepareDatabaseFolder, prepareDataDir } from "./data-folder.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-folder-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;
const inPg = (...names: string[]) => {
  mkdirSync(path.join(dataDir, "pg"), { recursive: true });
  for (const name of names) writeFileSync(path.join(dataDir, "pg", name), "");
};

test("a data folder that others could enter is closed to them, and so are the database and the key in it", () => {
  inPg("PG_VERSION");
  chmodSync(dataDir, 0o755);
  chmodSync(path.join(dataDir, "pg"), 0o777);
  writeFileSync(secretFile(dataDir), Buffer.alloc(32, 7).toString("base64"));
  chmodSync(secretFile(dataDir), 0o644);
  prepareDataDir(dataDir);
  prepareDatabaseFolder(dataDir);
  readSecretFile(dataDir);
  expect([dataDir, path.join(dataDir, "pg"), secretFile(dataDir)].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
});

test("a data folder that cannot be closed is refused", () => {
  const file = path.join(dataDir, "file");
  writeFileSync(file, "");
  expect(() => prepareDataDir(path.join(file, "data"))).toThrow(ConfigError);
  // Nobody may change the modes below /proc, not even its owner.
  expect(() => prepareDataDir("/proc/self/fd")).toThrow(ConfigError);
});

test("a database folder without PG_VERSION is refused and left alone", () => {
  inPg("pg_wal", "base");
  expect(() => prepareDatabaseFolder(dataDir)).toThrow("PG_VERSION is missing");
  expect(readdirSync(path.join(dataDir, "pg")).toSorted()).toEqual(["base", "pg_wal"]);
});

test("what an interrupted first start left is removed, and a finished one is kept", () => {
  const first = prepareDatabaseFolder(dataDir);
  inPg("base");
  const second = prepareDatabaseFolder(dataDir);
  expect(existsSync(first.folder)).toBe(false);
  inPg("PG_VERSION", "base");
  second.opened();
  prepareDatabaseFolder(dataDir);
  expect(readdirSync(first.folder).toSorted()).toEqual(["PG_VERSION", "base"]);
});
