/**
 * Where tests keep what they start: the data of PostgreSQL and the data folders of servers. In memory where the system offers it with enough
 * space, so that no commit waits for a disk. What must survive a kill does so there too; a power cut is nothing that a test can make.
 * Works on Node 20.
 */
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The files of one demo market take about 100 MB, a database of PostgreSQL 12 MB, and a handful of each are used at once. */
const enoughBytes = 2_000_000_000;

function inMemory(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

export const temporaryFolder = inMemory("/dev/shm") ? "/dev/shm" : tmpdir();
