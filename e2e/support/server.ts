/** A server of the built product on a free port, with a data folder and a database of its own that go with it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "@playwright/test";
import { compileCache } from "../../test/compile-cache.ts";
import { createDatabase, dropDatabase } from "../../test/served-databases.ts";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";

export type TestServer = { url: string; env: NodeJS.ProcessEnv; close(): Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The settings of a demo market on this database; a server is in demo mode by itself only on the embedded one. */
export const demoOn = (url: string): Record<string, string> => ({ DATABASE_URL: url, DEMO: "1", SEED: "demo" });

/**
 * Fills the data folder with a copy of the prepared demo market (prepared-market.ts), and answers the settings of its database and what
 * takes that away again; a server whose settings ask for another market fills the folder itself.
 */
async function fillFolder(folder: string, settings: Record<string, string>) {
  const { E2E_PREPARED_MARKET: prepared, E2E_PREPARED_DATABASE: database } = process.env;
  const nothing = { added: {}, drop: async () => undefined };
  if (!prepared || settings["SEED"] || settings["DATA_DIR"]) return nothing;
  await cp(prepared, folder, { recursive: true });
  const server = process.env["DATABASE_URL_TEST"];
  if (!server || !database) return nothing;
  const name = `e2e_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(server, name, database);
  return { added: demoOn(url), drop: () => dropDatabase(server, name) };
}

/** Starts a server with these settings and waits until it is ready; throws when it ends before. It takes some seconds. */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const folder = await mkdtemp(path.join(temporaryFolder, "stagedoor-e2e-"));
  const market = await fillFolder(path.join(folder, "data"), settings);
  const port = await freePort();
  const env = {
    ...process.env,
    ...compileCache,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: path.join(folder, "data"),
    LOG_LEVEL: "error",
    RATE_LIMITS: "off",
    ...market.added,
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
      (answer) => answer.status,
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
      await market.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
