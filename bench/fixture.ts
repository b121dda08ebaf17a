/** The product and the baseline server on one PostgreSQL with ten thousand artists, each in a separate process and port. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freshDatabase } from "#test/database.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";
import { freePort } from "#test/free-ports.ts";

export type BenchFixture = Awaited<ReturnType<typeof startFixture>>;

export const root = path.resolve(import.meta.dirname, "..");
export const artistsInBench = 10_000;

export const nodeEnvironment = {
  PATH: process.env["PATH"] ?? "",
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "node"),
};

/** Makes the database and starts the baseline server. `startProduct` starts the product for one measurement. */
export async function startFixture(artists = artistsInBench) {
  const place = await freshDatabase("postgres");
  await place.database.exec(loadTestArtistsSql(artists));
  await place.database.exec("vacuum analyze artists");
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-bench-"));
  const env = {
    ...nodeEnvironment,
    DATABASE_URL: place.url ?? "",
    DATA_DIR: dataDir,
    DEMO: "1",
    SEED: "none",
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };
  const baseline = await startServer(["bench/baseline-server.ts"], env, "/artists/many-1");
  return {
    database: place.database,
    baseline: baseline.origin,
    /** `web` answers requests only. `all` also handles events and runs jobs, as one process on a small installation does. */
    startProduct: (role: "web" | "all", more: Record<string, string> = {}) =>
      startServer(["src/app/main.ts"], { ...env, PROCESS: role, ...more }, "/readyz"),
    [Symbol.asyncDispose]: async () => {
      await baseline[Symbol.asyncDispose]();
      await place.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a program under this Node.js on a free port and waits until `readyPath` answers 200. */
export async function startServer(args: string[], env: Record<string, string>, readyPath: string) {
  const port = String(await freePort());
  const settings = { ...env, PORT: port };
  const child = spawn(process.execPath, args, { cwd: root, env: settings, stdio: ["ignore", "ignore", "inherit"] });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(origin + readyPath).then(
      (response) => response.ok,
      () => false,
    );
  for (let tries = 0; tries < 600 && !(await isReady()); tries++) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode} before it answered`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { origin, residentMB: () => residentMB(child), [Symbol.asyncDispose]: () => end(child) };
}

/** Returns the current memory of the process, in MB (1,000,000 bytes). Undefined if the system does not report it. */
function residentMB(child: ChildProcess): number | undefined {
  if (process.platform !== "linux") return undefined;
  const kB = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return kB === undefined ? undefined : (Number(kB) * 1_024) / 1e6;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
