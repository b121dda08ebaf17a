/**
 * Makes a demo market once for all e2e tests. Each server starts on a copy (server.ts). Its database is on the tests'
 * PostgreSQL if there is one, which takes a third of the processor time, otherwise embedded in the data folder.
 */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "@playwright/test";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";
import { createDatabase, dropDatabase } from "../../test/served-databases.ts";
import { demoOn, startServer } from "./server.ts";

export default async function prepareMarket(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(temporaryFolder, "stagedoor-e2e-market-"));
  const served = process.env["DATABASE_URL_TEST"];
  const database = `e2e_market_${randomBytes(6).toString("hex")}`;
  const settings = served ? demoOn(await createDatabase(served, database)) : {};
  const server = await startServer("demo", { ...settings, DATA_DIR: folder });
  // Samples are made after the start. The copies of this market have them from the beginning.
  const artistsWithSample = async () => {
    const response = await fetch(`${server.url}/api/artists?limit=100`);
    const { items } = (await response.json()) as { items: { sample: unknown }[] };
    return items.filter(({ sample }) => sample !== null).length;
  };
  await expect.poll(artistsWithSample, { timeout: 180_000 }).toBe(12);
  await server.close();
  process.env["E2E_PREPARED_MARKET"] = folder;
  if (served) process.env["E2E_PREPARED_DATABASE"] = database;
  return async () => {
    if (served) await dropDatabase(served, database);
    await rm(folder, { recursive: true, force: true });
  };
}
