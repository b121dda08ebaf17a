import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConfigError } from "../../config.ts";
import { readSecretFile, secretFile } from "../../security/secret-file.ts";
import { openDatabase } from "../index.ts";
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

test("restricts an accessible data folder, its database and its key to the owner", () => {
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

test("restricts the folder behind a data folder that is a symbolic link", () => {
  const behind = path.join(dataDir, "behind");
  mkdirSync(behind, { mode: 0o755 });
  symlinkSync(behind, path.join(dataDir, "link"));
  prepareDataDir(path.join(dataDir, "link"));
  expect(modeOf(behind)).toBe(0o700);
});

test("refuses a data folder that cannot be restricted", () => {
  const file = path.join(dataDir, "file");
  writeFileSync(file, "");
  expect(() => prepareDataDir(path.join(file, "data"))).toThrow(ConfigError);
  // Not even the owner may change the modes below /proc.
  expect(() => prepareDataDir("/proc/self/fd")).toThrow(ConfigError);
});

test("refuses a database folder without PG_VERSION and leaves it unchanged", () => {
  inPg("pg_wal", "base");
  expect(() => prepareDatabaseFolder(dataDir)).toThrow("PG_VERSION is missing");
  expect(readdirSync(path.join(dataDir, "pg")).toSorted()).toEqual(["base", "pg_wal"]);
});

test("removes the remains of an interrupted first start, and retains a finished database", () => {
  const first = prepareDatabaseFolder(dataDir);
  inPg("base");
  const second = prepareDatabaseFolder(dataDir);
  expect(existsSync(first.folder)).toBe(false);
  inPg("PG_VERSION", "base");
  second.opened();
  prepareDatabaseFolder(dataDir);
  expect(readdirSync(first.folder).toSorted()).toEqual(["PG_VERSION", "base"]);
});

test("names a full disk on which no database can be made", async () => {
  vi.spyOn(PGlite, "create").mockRejectedValueOnce({ name: "ErrnoError", errno: 51 });
  await expect(openDatabase({ dataDir })).rejects.toThrow(/is full\. Free some space and start again\.$/);
});
