/** Makes the data folder of a demo market once for all e2e tests; each server of theirs starts on a copy (server.ts). */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { startServer } from "./server.ts";

export default async function prepareMarket(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(temporaryFolder, "stagedoor-e2e-market-"));
  const server = await startServer({ DATA_DIR: folder });
  await server.close();
  process.env["E2E_PREPARED_MARKET"] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
