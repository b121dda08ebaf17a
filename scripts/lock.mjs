/** A lock file with its process number. It is created atomically: an empty file would look like a leftover. */

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const held = new Set();

/** Acquires the lock and returns a function that releases it, or the number of its process. Removes the lock of an ended process. */
export function takeLock(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    held.add(file);
    return { release: () => release(file) };
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(own, { force: true });
  }
  const owner = ownerOf(file);
  if (owner !== undefined && !isHeld(file, owner)) removeLeftover(file);
  return { owner };
}

function release(file) {
  held.delete(file);
  rmSync(file, { force: true });
}

/** Another process may restore our lock after its release: one in our name that is not held is left over. */
const isHeld = (file, owner) => (owner === process.pid ? held.has(file) : isRunning(owner));

/** Removes a leftover. If another process has just replaced it, that lock is restored. */
function removeLeftover(file) {
  const aside = `${file}.${process.pid}.left`;
  try {
    renameSync(file, aside);
    if (isHeld(file, ownerOf(aside))) linkSync(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isRunning(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
