/** A lock file that says which process has it. It comes into being with its number in it: nobody reads an empty one and takes it for left over. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const held = new Set();

/** Takes the lock and returns how to release it, or the number of the process that has it. Removes one whose process is gone. */
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

/** Another process may put our lock back after we have released it: one in our name that we do not hold is left over. */
const isHeld = (file, owner) => (owner === process.pid ? held.has(file) : isRunning(owner));

/** Another process may have removed it and taken the lock meanwhile: then that lock is put back. */
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

/** Undefined when it was released in the meantime. */
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
