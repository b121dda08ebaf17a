/** The product and its rival on the same PostgreSQL, each in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freshDatabase } from "#test/database.ts";
import { loadTestArtistsSql } from "#seed/load-test-data.ts";
import autocannon from "autocannon";

export type BenchFixture = Awaited<ReturnType<typeof startFixture>>;

const root = path.resolve(import.meta.dirname, "..");
export const artistsInBench = 10_000;

/** Starts both with ten thousand artists. */
export async function startFixture() {
  const place = await freshDatabase("postgres");
  await place.database.exec(loadTestArtistsSql(artistsInBench));
  await place.database.exec("vacuum analyze artists");
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-bench-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: place.url ?? "",
    DATA_DIR: dataDir,
    DEMO: "1",
    SEED: "none",
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };
  const product = await serve(
    ["src/app/main.ts"],
    { ...env, PORT: "3391", PROCESS: "web" },
    "http://127.0.0.1:3391/readyz",
  );
  const rival = await serve(["bench/baseline-server.ts"], { ...env, PORT: "3392" }, "http://127.0.0.1:3392/artists");
  const close = async () => {
    await Promise.all([end(product), end(rival)]);
    await place.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    database: place.database,
    product: "http://127.0.0.1:3391",
    rival: "http://127.0.0.1:3392",
    [Symbol.asyncDispose]: close,
  };
}

async function serve(args: string[], env: Record<string, string>, until: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(until).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return child;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${args.join(" ")} does not serve`);
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}

/** Requests a second of one address: a short warm-up, then the measurement. Any answer but 200 is an error. */
export async function throughput(url: string, headers: Record<string, string> = {}): Promise<number> {
  await autocannon({ url, headers, connections: 8, duration: 2 });
  const result = await autocannon({ url, headers, connections: 8, duration: 5 });
  if (result.non2xx || result.errors)
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} failed`);
  return result.requests.average;
}
