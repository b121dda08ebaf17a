/**
 * One process per data folder. The lock is a file that names its holder; the lock of a dead holder is taken over, that of a
 * living one never. A holder on another machine (or in another container) is alive while it keeps touching the file.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { systemClock } from "../clock.ts";
import { ConfigError } from "../config.ts";

export type DataDirLock = {
  /** Gives the folder free. Harmless when called twice. */
  release(): void;
};

/** Who has a folder. */
export type LockOwner = { pid: number; started: string; host: string; nonce: string };

const touchEveryMs = 5_000;
/** A holder elsewhere that was not seen for so long is taken for dead. */
const silentForMs = 30_000;
/** Locks of this process: a file with our own process number and none of these is left over from before a restart. */
const held = new Set<string>();

/** The lock file of a data folder. */
export const lockFile = (dataDir: string): string => path.join(dataDir, "lock");

/** Takes the folder, which exists, for this process; throws ConfigError that names the process that has it. */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = lockFile(dataDir);
  const me: LockOwner = {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    nonce: randomUUID(),
  };
  held.add(me.nonce);
  try {
    while (!claim(file, me)) removeLeftover(file, dataDir);
  } catch (error) {
    held.delete(me.nonce);
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATA_DIR: the folder ${dataDir} cannot be written (${message(error)}).`);
  }
  const timer = setInterval(() => touch(file), touchEveryMs).unref();
  const release = () => {
    clearInterval(timer);
    process.off("exit", release);
    if (held.delete(me.nonce) && readHolder(file)?.nonce === me.nonce) rmSync(file, { force: true });
  };
  process.on("exit", release);
  return { release };
}

/** Throws ConfigError when a living process has the folder; looks only, and needs no folder to be there. */
export function refuseLockedFolder(dataDir: string): void {
  const holder = findLockOwner(dataDir);
  if (holder) throw inUse(holder, dataDir);
}

/** The living process that has the folder, or undefined when nobody has it. */
export function findLockOwner(dataDir: string): LockOwner | undefined {
  const file = lockFile(dataDir);
  const holder = readHolder(file);
  return holder && isAlive(holder, file) ? holder : undefined;
}

/** Creates the file whole or not at all, so that nobody reads a half-written lock. */
function claim(file: string, me: LockOwner): boolean {
  const draft = `${file}.${me.nonce}`;
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (codeOf(error) === "ENOENT") throw error;
    return claimWithoutLinks(file, me);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Some file systems know no hard links; there the file is created in place. */
function claimWithoutLinks(file: string, me: LockOwner): boolean {
  try {
    writeFileSync(file, JSON.stringify(me), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Moves a dead holder's lock out of the way; when a faster process has just put its own there, that one is put back. */
function removeLeftover(file: string, dataDir: string): void {
  const found = readHolder(file);
  if (found && isAlive(found, file)) throw inUse(found, dataDir);
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved && moved.nonce !== found?.nonce) {
    renameSync(aside, file);
    throw inUse(moved, dataDir);
  }
  rmSync(aside, { force: true });
}

function inUse(holder: LockOwner, dataDir: string): ConfigError {
  const where = holder.host === hostname() ? "" : ` on ${holder.host}`;
  return new ConfigError(
    `DATA_DIR: the folder ${dataDir} is in use by process ${holder.pid}${where}. Stop it, or set another DATA_DIR.`,
  );
}

function readHolder(file: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isHolder(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return undefined;
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${message(error)}).`);
  }
}

function isHolder(value: unknown): value is LockOwner {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "nonce" in value &&
    "host" in value &&
    "started" in value
  );
}

function isAlive(holder: LockOwner, file: string): boolean {
  if (holder.host !== hostname()) return systemClock.now().getTime() - statSync(file).mtimeMs < silentForMs;
  if (holder.pid === process.pid) return held.has(holder.nonce);
  return isRunning(holder.pid) && (holder.started === "" || startOf(holder.pid) === holder.started);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** What tells a process from a later one with the same number: when it started; "" where the system does not say. */
function startOf(pid: number): string {
  if (process.platform === "linux") return linuxStartOf(pid);
  if (process.platform === "win32") return "";
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? "";
}

/** The 22nd field of /proc/N/stat; the name before it may hold blanks and brackets. */
function linuxStartOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function touch(file: string): void {
  const now = systemClock.now();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    // The folder was removed under a running process; the database itself will say so.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
