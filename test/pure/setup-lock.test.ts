import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const lockModule = path.resolve(import.meta.dirname, "../../scripts/lock.mjs");
const { takeLock } = (await import(lockModule)) as {
  takeLock(file: string): { release?: () => void; owner?: number };
};

/** Acquires the lock repeatedly, and logs each acquisition and release. */
const contender = `
import { appendFileSync } from "node:fs";
import { takeLock } from ${JSON.stringify(lockModule)};
const [file, log] = process.argv.slice(1);
for (let turns = 0; turns < 40; ) {
  const { release } = takeLock(file);
  if (!release) continue;
  appendFileSync(log, process.pid + " has it\\n");
  appendFileSync(log, process.pid + " had it\\n");
  release();
  turns++;
}`;

test("gives the lock to one process at a time, also after one that was killed with it", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-lock-"));
  try {
    const [file, log] = [path.join(folder, "lock"), path.join(folder, "log")];
    // No process has this number.
    writeFileSync(file, "4194304");
    const run = () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", contender, file, log], { timeout: 60_000 });
    await Promise.all(Array.from({ length: 4 }, run));
    const lines = readFileSync(log, "utf8").trim().split("\n");
    expect(lines).toHaveLength(4 * 40 * 2);
    const torn = lines.filter((line, at) => line !== (at % 2 ? lines[at - 1]?.replace("has", "had") : line));
    expect(torn).toEqual([]);
    expect(lines.filter((line, at) => at % 2 === 0 && !line.endsWith("has it"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 10 });
  }
});

test("does not treat a released lock that another process restored as its own", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-lock-"));
  const file = path.join(folder, "lock");
  writeFileSync(file, String(process.pid));
  expect(takeLock(file)).toEqual({ owner: process.pid });
  const { release } = takeLock(file);
  expect(takeLock(file)).toEqual({ owner: process.pid });
  release?.();
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
