/** A server of the built product on a free port, with a data folder of its own that goes with it. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "@playwright/test";
import { compileCache } from "../../test/compile-cache.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";

export type TestServer = { url: string; env: NodeJS.ProcessEnv; close(): Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A copy of the prepared demo market (prepared-market.ts), unless the settings ask for another market. */
async function fillFolder(folder: string, settings: Record<string, string>): Promise<void> {
  const prepared = process.env["E2E_PREPARED_MARKET"];
  if (prepared && !settings["SEED"] && !settings["DATA_DIR"]) await cp(prepared, folder, { recursive: true });
}

/** Starts a server with these settings and waits until it is ready; throws when it ends before. It takes some seconds. */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const folder = await mkdtemp(path.join(temporaryFolder, "stagedoor-e2e-"));
  await fillFolder(path.join(folder, "data"), settings);
  const port = await freePort();
  const env = {
    ...process.env,
    ...compileCache,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: path.join(folder, "data"),
    LOG_LEVEL: "error",
    RATE_LIMITS: "off",
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
