/** Prepares the data folder of an empty market once for all process tests (emptyMarketFolder in server.ts copies it). */

import { chmodSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { endAll, freshFolder, startServer } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    emptyMarket: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = freshFolder();
  // The server restricts a folder that is open to all users (starting.test.ts).
  chmodSync(folder, 0o777);
  const server = await startServer({ DATA_DIR: folder });
  server.kill("SIGTERM");
  await server.ended;
  project.provide("emptyMarket", folder);
  return endAll;
}
