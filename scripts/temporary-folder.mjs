/**
 * The folder of the tests' databases and data folders. In memory if the system has enough of it, because commits need not wait for a disk.
 * It survives a kill. No test simulates a power cut. Works on Node 20.
 */

import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The files of a demo market take about 100 MB, a PostgreSQL database 12 MB, and a handful of each are used at the same time. */
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
