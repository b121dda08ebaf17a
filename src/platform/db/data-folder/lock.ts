/** One process per data folder. Only a dead owner's lock is replaced. An owner elsewhere is alive while it updates the file. One that was paused for longer exits before its next write. */

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { ConfigError } from "../../config.ts";
import { errorCode, errorMessage } from "../../errors.ts";
import { systemClock } from "../../time/clock.ts";

export type DataDirLock = { check(): void; release(): void };

const lockOwner = z.object({ pid: z.int(), started: z.string(), host: z.string(), nonce: z.string() });
type LockOwner = z.infer<typeof lockOwner>;

const touchEveryMs = 5_000;
const silentForMs = 30_000;
/** Locks of this process. A file with this process number but none of these nonces is from before a restart. */
const held = new Set<string>();

export const lockFile = (dataDir: string): string => path.join(dataDir, "lock");

class LockLost extends Error {}

/** Exits without closing the database, because closing writes to a folder that another process uses. */
function endProcess(dataDir: string): void {
  process.stderr.write(
    `Another process took over the folder ${dataDir}, because this process was paused for too long. This process ends without another write.\n`,
  );
  process.exit(1);
}

/** Locks an existing folder for this process. Throws ConfigError that names the current owner. `onLost` runs if another process takes it. */
export function lockDataDir(dataDir: string, onLost: (dataDir: string) => void = endProcess): DataDirLock {
  const file = lockFile(dataDir);
  const me: LockOwner = { pid: process.pid, started: startOf(process.pid), host: hostname(), nonce: randomUUID() };
  held.add(me.nonce);
  let handle: number;
  try {
    while (!createLock(file, me)) removeLeftover(file, dataDir);
    // While it is open, the file system assigns its inode to no other file: equal numbers mean the same file.
    handle = openSync(file, "r");
  } catch (error) {
    held.delete(me.nonce);
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATA_DIR: the folder ${dataDir} cannot be written (${errorMessage(error)}).`);
  }
  const mine = fstatSync(handle, { bigint: true }).ino;
  const isMine = () => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === mine;
  const timer = setInterval(() => isMine() && touch(file), touchEveryMs).unref();
  const release = () => {
    clearInterval(timer);
    process.off("exit", release);
    if (!held.delete(me.nonce)) return;
    if (isMine()) rmSync(file, { force: true });
    closeSync(handle);
  };
  const check = () => {
    if (isMine()) return;
    onLost(dataDir);
    throw new LockLost(`the folder ${dataDir} now belongs to another process`);
  };
  process.on("exit", release);
  return { check, release };
}

/** Throws ConfigError if a live process has the folder. Acquires no lock, and accepts a missing folder. */
export function refuseLockedFolder(dataDir: string): void {
  const owner = findLockOwner(dataDir);
  if (owner) throw inUse(owner, dataDir);
}

export function findLockOwner(dataDir: string): LockOwner | undefined {
  const file = lockFile(dataDir);
  const owner = readOwner(file);
  return owner && isAlive(owner, file) ? owner : undefined;
}

/** Creates the file atomically: no process reads a half-written lock. */
function createLock(file: string, me: LockOwner): boolean {
  const draft = `${file}.${me.nonce}`;
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (errorCode(error) === "ENOENT") throw error;
    return createWithoutLinks(file, me);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createWithoutLinks(file: string, me: LockOwner): boolean {
  try {
    writeFileSync(file, JSON.stringify(me), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes a dead owner's lock. If a faster process just replaced it, that lock is restored. */
function removeLeftover(file: string, dataDir: string): void {
  const found = readOwner(file);
  if (found && isAlive(found, file)) throw inUse(found, dataDir);
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = readOwner(aside);
  if (moved && moved.nonce !== found?.nonce) {
    renameSync(aside, file);
    throw inUse(moved, dataDir);
  }
  rmSync(aside, { force: true });
}

function inUse(owner: LockOwner, dataDir: string): ConfigError {
  const where = owner.host === hostname() ? "" : ` on ${owner.host}`;
  return new ConfigError(
    `DATA_DIR: the folder ${dataDir} is in use by process ${owner.pid}${where}. Stop it, or set another DATA_DIR.`,
  );
}

function readOwner(file: string): LockOwner | undefined {
  try {
    return lockOwner.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${errorMessage(error)}).`);
  }
}

function isAlive(owner: LockOwner, file: string): boolean {
  if (owner.host !== hostname()) return systemClock.now().getTime() - statSync(file).mtimeMs < silentForMs;
  if (owner.pid === process.pid) return held.has(owner.nonce);
  return isRunning(owner.pid) && isSameStart(owner.started, startOf(owner.pid));
}

const isSameStart = (stored: string, now: string): boolean =>
  stored === "" || stored === now || (!stored.includes("@") && now.startsWith(`${stored}@`));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== "EPERM") return false;
  }
  if (process.platform === "linux") return linuxStat(pid)?.[0] !== "Z";
  if (process.platform === "win32") return true;
  return !spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout?.startsWith("Z");
}

/** Returns when a process started, to distinguish it from a later one with the same number. "" if the system does not report it. */
function startOf(pid: number): string {
  if (process.platform === "linux") return linuxStartOf(pid);
  if (process.platform === "win32") return "";
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? "";
}

/** Returns the start in ticks with the boot id, because ticks repeat after a restart of the machine. */
function linuxStartOf(pid: number): string {
  const ticks = linuxStat(pid)?.[19];
  return ticks === undefined ? "" : `${ticks}@${readIfThere("/proc/sys/kernel/random/boot_id").trim()}`;
}

/** Returns the fields of /proc/N/stat from the third (the state). The name before it may have blanks and brackets. */
function linuxStat(pid: number): string[] | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function touch(file: string): void {
  const now = systemClock.now();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    // The folder was removed under a running process. The next check reports it.
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
