import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BenchFixture, nodeEnvironment, type RunningServer, startServer } from "./fixture.ts";
import { atMost, type Figure } from "./report.ts";

const restMs = 20_000;

export async function benchMemory(fixture: BenchFixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  {
    await using product = await fixture.startProduct("web");
    figures.push(...(await atRest(product, "memory at rest, PROCESS=web on PostgreSQL", 160)));
  }
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-memory-"));
  const env = { ...nodeEnvironment, DATA_DIR: dataDir };
  try {
    await (await startServer(["src/app/main.ts"], env, "/readyz"))[Symbol.asyncDispose]();
    await using product = await startServer(["src/app/main.ts"], env, "/readyz");
    figures.push(...(await atRest(product, "memory at rest, embedded, demo market", 420)));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return figures;
}

async function atRest(server: RunningServer, what: string, target: number): Promise<Figure[]> {
  await (await fetch(server.origin)).text();
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const value = server.residentMB();
  return value === undefined ? [] : [atMost(what, value, target, "MB")];
}
