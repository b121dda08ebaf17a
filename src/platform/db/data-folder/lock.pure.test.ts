import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLockOwner, lockDataDir, lockFile } from "./lock.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-lock-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const writeLock = (owner: object) => writeFileSync(lockFile(dataDir), JSON.stringify(owner));

test("notices before the next write that another process took the lock, and leaves its file unchanged", () => {
  const lost: string[] = [];
  const lock = lockDataDir(dataDir, (folder) => lost.push(folder));
  lock.check();
  expect(lost).toEqual([]);
  rmSync(lockFile(dataDir));
  const other = { pid: 7, started: "", host: "elsewhere", nonce: "theirs" };
  writeLock(other);
  expect(() => lock.check()).toThrow("belongs to another process");
  expect(lost).toEqual([dataDir]);
  lock.release();
  expect(JSON.parse(readFileSync(lockFile(dataDir), "utf8"))).toEqual(other);
});

test("fails its check if its file was moved away", () => {
  const lock = lockDataDir(dataDir, () => undefined);
  renameSync(lockFile(dataDir), `${lockFile(dataDir)}.aside`);
  expect(() => lock.check()).toThrow("belongs to another process");
  lock.release();
});

test("ignores an owner that has ended and is a zombie", async () => {
  // The shell becomes a program that never reaps its child.
  const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(String(output).trim());
    const state = () => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    await expect.poll(state).toBe("Z");
    writeLock({ pid, started: "", host: hostname(), nonce: "of the dead" });
    expect(findLockOwner(dataDir)).toBeUndefined();
    lockDataDir(dataDir).release();
  } finally {
    parent.kill("SIGKILL");
  }
});

test("distinguishes its owner from another process with a reused process number", () => {
  const lock = lockDataDir(dataDir);
  const mine = JSON.parse(readFileSync(lockFile(dataDir), "utf8")) as { started: string };
  lock.release();
  const parent = { pid: process.ppid, host: hostname(), nonce: "n" };
  for (const started of [mine.started, "1", `1@${mine.started.split("@")[1]}`]) {
    writeLock({ ...parent, started });
    expect(findLockOwner(dataDir), started).toBeUndefined();
  }
  const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  // A lock of an earlier version has only the ticks.
  for (const started of ["", ticks, `${ticks}@${mine.started.split("@")[1]}`]) {
    writeLock({ ...parent, started });
    expect(findLockOwner(dataDir)?.pid, started).toBe(process.ppid);
  }
});
