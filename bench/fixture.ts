/** The product, the baseline server and one of the same packages on one PostgreSQL with ten thousand artists, each in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freshDatabase } from "#test/database.ts";
import { loadTestArtistsSql } from "#seed/load-test-data.ts";

export type BenchFixture = Awaited<ReturnType<typeof startFixture>>;

export const root = path.resolve(import.meta.dirname, "..");
export const artistsInBench = 10_000;

/** What `npm start` gives the server besides its settings: compiled modules are kept between starts. */
export const nodeEnvironment = {
  PATH: process.env["PATH"] ?? "",
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: path.join(root, "node_modules", ".cache", "node"),
};

/** Makes the database and starts the two servers to compare with. `startProduct` starts the product for one measurement. */
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
  const baseline = await startServer(["bench/baseline-server.ts"], { ...env, PORT: "3392" }, "/artists/many-1");
  const packages = await startServer(["bench/package-server.ts"], { ...env, PORT: "3393" }, "/artists/many-1");
  return {
    database: place.database,
    baseline: baseline.origin,
    packages: packages.origin,
    /** `web` answers requests only; `all` also answers events and runs jobs, as one process on a small installation does. */
    startProduct: (role: "web" | "all") =>
      startServer(["src/app/main.ts"], { ...env, PORT: "3391", PROCESS: role }, "/readyz"),
    [Symbol.asyncDispose]: async () => {
      await baseline[Symbol.asyncDispose]();
      await packages[Symbol.asyncDispose]();
      await place.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts a program under this Node.js and waits until `readyPath` answers 200. */
export async function startServer(args: string[], env: Record<string, string>, readyPath: string) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const origin = `http://127.0.0.1:${env["PORT"] ?? ""}`;
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

/** Memory that belongs to the process at this moment, in MB (1,000,000 bytes); undefined where the system does not report it. */
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
