/**
 * Where tests keep the data folders of the servers they start: in memory where the system offers it with enough space, so that no commit
 * waits for a disk. What must survive a kill does so there too; a power cut is nothing that these tests can make.
 */
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The files of one demo market take about 100 MB, and a handful of servers run at once. */
const enoughBytes = 2_000_000_000;

function inMemory(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

export const temporaryFolder = inMemory("/dev/shm") ? "/dev/shm" : tmpdir();
