/** A server of the built product on a free port, with its own data folder and database, which are deleted at the end. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "@playwright/test";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";
import { compileCache } from "../../test/compile-cache.ts";
import { freePort } from "../../test/free-ports.ts";
import { createDatabase, dropDatabase } from "../../test/served-databases.ts";

export type TestServer = { url: string; env: NodeJS.ProcessEnv; close(): Promise<void> };

/** Settings of a demo market on this database. A server starts in demo mode by default only on the embedded one. */
export const demoOn = (url: string): Record<string, string> => ({ DATABASE_URL: url, DEMO: "1", SEED: "demo" });

/** The market of a server: a copy of the demo market, or an empty one on the given engine. */
export type Market = "demo" | "empty" | "empty-embedded";

/** The data folder and database of a server, and their deletion. */
type ServerData = { settings: Record<string, string>; drop(): Promise<void> };

/**
 * Prepares the market. The demo market is a copy of the prepared one (prepared-market.ts). Without a PostgreSQL for the
 * tests, and for "empty-embedded", the server makes the embedded database in the data folder.
 */
async function makeServerData(market: Market, folder: string): Promise<ServerData> {
  const { E2E_PREPARED_MARKET: prepared, E2E_PREPARED_DATABASE: template, DATABASE_URL_TEST: served } = process.env;
  if (market === "demo" && prepared) await cp(prepared, folder, { recursive: true });
  const settings: Record<string, string> = market === "demo" ? {} : { SEED: "none" };
  if (!served || market === "empty-embedded" || (market === "demo" && !template))
    return { settings, drop: async () => undefined };
  const name = `e2e_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(served, name, market === "demo" ? template : undefined);
  return { settings: { ...demoOn(url), ...settings }, drop: () => dropDatabase(served, name) };
}

/** Starts a server with these settings and waits some seconds until it is ready. Throws if it exits before. */
export async function startServer(market: Market = "demo", settings: Record<string, string> = {}): Promise<TestServer> {
  const folder = await mkdtemp(path.join(temporaryFolder, "stagedoor-e2e-"));
  const data = await makeServerData(market, path.join(folder, "data"));
  const port = await freePort();
  const env = {
    ...process.env,
    ...compileCache,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: path.join(folder, "data"),
    LOG_LEVEL: "error",
    RATE_LIMITS: "off",
    ...data.settings,
    ...settings,
  };
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, ["src/app/main.ts"], { env, stdio: ["ignore", "ignore", "inherit"] });
  let code: number | null | undefined;
  const ended = new Promise<void>((resolve) =>
    server.once("exit", (exitCode) => {
      code = exitCode;
      resolve();
    }),
  );
  const status = async () => {
    if (code !== undefined) throw new Error(`the server ended with ${code} before it was ready`);
    return fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
  };
  await expect.poll(status, { timeout: 180_000 }).toBe(200);
  return {
    url,
    env,
    close: async () => {
      server.kill("SIGTERM");
      await ended;
      await data.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
