import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { errorCode } from "#platform/errors.ts";
import { freePort } from "#test/free-ports.ts";
import { atMost, type Figure } from "./report.ts";

const root = path.resolve(import.meta.dirname, "..");

export async function benchStart(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-start-"));
  try {
    await start(dataDir);
    const times = [await start(dataDir), await start(dataDir), await start(dataDir)];
    return [atMost("warm npm start to /readyz", Math.min(...times) / 1_000, 3, "s", "embedded, best of three")];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(dataDir: string): Promise<number> {
  const port = await freePort();
  const serves = (address: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${address}`).then(
      (response) => response.ok,
      () => false,
    );
  const began = performance.now();
  const child = spawn("npm", ["start"], {
    detached: true,
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  try {
    while (!(await serves("/readyz"))) {
      if (child.exitCode !== null) throw new Error("npm start ended before it served");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return performance.now() - began;
  } finally {
    // The whole group, as Ctrl+C does. npm can end before the server, which would then answer the next start.
    if (child.pid) endGroup(child.pid);
    await gone;
    while (await serves("/livez")) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends a process group. One that has ended already has no one to signal, and its own error is the one to report. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGTERM");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
