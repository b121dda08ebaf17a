import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";
import { compileCache } from "../compile-cache.ts";
import { freePort } from "../free-ports.ts";

export { freePort };

export const root = path.resolve(import.meta.dirname, "../..");

export type Server = {
  readonly pid: number;
  readonly port: number;
  readonly address: string;
  output(): string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
};

const living = new Set<ChildProcess>();
const folders = new Set<string>();

/** Returns a folder of this test file, which endAll deletes. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-process-"));
  folders.add(folder);
  return folder;
}

/** Returns a data folder with a migrated empty market. A server starts on it in a fraction of the time. */
export function emptyMarketFolder(): string {
  const folder = freshFolder();
  cpSync(inject("emptyMarket"), folder, { recursive: true });
  return folder;
}

export async function endAll(): Promise<void> {
  const ends = [...living].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of living) child.kill("SIGKILL");
  await Promise.all(ends);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Runs one of our programs with only the given environment and the path. */
export function launch(file: string, args: string[], env: Record<string, string>, cwd = root) {
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd,
    env: { ...compileCache, PATH: process.env["PATH"] ?? "", HOME: tmpdir(), SEED: "none", LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  living.add(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (output += part));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("close", (code, signal) => {
      living.delete(child);
      resolve({ code, signal });
    }),
  );
  return { child, ended, output: () => output };
}

/** Starts a server and waits until it serves. Throws with its output if it ends before. */
export async function startServer(env: Record<string, string>, cwd?: string): Promise<Server> {
  const port = Number(env["PORT"] ?? (await freePort()));
  const { child, ended, output } = launch("src/app/main.ts", [], { ...env, PORT: String(port) }, cwd);
  const address = `http://127.0.0.1:${port}`;
  let over = false;
  void ended.then(() => (over = true));
  while (!(await answers(`${address}/readyz`))) {
    if (over) throw new Error(`the server ended before it was ready: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { pid: child.pid ?? 0, port, address, output, ended, kill: (signal) => void child.kill(signal) };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    return false;
  }
}

/** Runs a server that must fail to start. Returns its output and exit code. */
export async function refused(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { ended, output } = launch("src/app/main.ts", [], { PORT: String(await freePort()), ...env });
  const { code } = await ended;
  return { code, output: output() };
}

/** Runs `npm run admin -- …` without npm. */
export async function admin(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { ended, output } = launch("src/app/admin/main.ts", args, env);
  const { code } = await ended;
  return { code, output: output() };
}
