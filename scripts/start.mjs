/**
 * npm start: prepares the clone, runs the server in a separate process group, and restarts it after a crash. Forwards the first signal only,
 * because a terminal and npm both send it. Ends the server if the parent process ends. With --dev it reloads.
 */

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { environmentFor, prepare } from "./setup.mjs";
import { command, root, run, StepFailed, stopRunning } from "./steps.mjs";

const dev = process.argv.includes("--dev");
const parent = process.ppid;
const lookForParentEveryMs = 250;
/** 1, 2, 4 … seconds before a restart. A server that ran this long restarts with the shortest wait. */
const maxWaitSeconds = 60;
const soundAfterMs = 5 * 60_000;
let server;
let waiting;
let signaled = false;

function stop() {
  if (signaled) return;
  signaled = true;
  clearTimeout(waiting);
  if (server) return void server.kill("SIGTERM");
  stopRunning();
  process.exit(130);
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
setInterval(() => process.ppid !== parent && stop(), lookForParentEveryMs).unref();

/** The server restarts if a module changes. The web reloads itself and writes files while it does. */
function watchedFolders() {
  const folders = readdirSync(path.join(root, "src")).filter((folder) => folder !== "web");
  return ["sandbox", ...folders.map((folder) => `src/${folder}`)].map((folder) => `--watch-path=${folder}`);
}

/** Throws the server's reason if it cannot start: a set-up would then change the files of the one that runs. */
async function refuseEarly(node) {
  const { code, output } = await run(node, ["src/app/main.ts", "--preflight"], {
    quiet: true,
    env: environmentFor(node),
  });
  const reason = code !== 0 && /^Stagedoor cannot start\..*$/m.exec(output)?.[0];
  if (reason) throw new StepFailed(reason);
}

/** Runs the server once. `ready`: it served. `refused`: it cannot start and printed why. */
function runServer(node) {
  const args = dev ? ["--conditions=development", ...watchedFolders(), "src/app/main.ts"] : ["src/app/main.ts"];
  return new Promise((resolve) => {
    const since = performance.now();
    const reported = { ready: false, refused: false };
    server = spawn(node, args, {
      cwd: root,
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: environmentFor(node, {
        NODE_ENV: dev ? "development" : (process.env.NODE_ENV ?? "production"),
        // Cached compiled modules shorten a warm start.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, "node_modules", ".cache", "node"),
      }),
    });
    if (signaled) server.kill("SIGTERM");
    server.on("message", (message) => Object.assign(reported, message));
    server.once("error", (error) => {
      process.stderr.write(`The server could not be started (${error.message}).\n`);
      process.exit(1);
    });
    server.once("exit", (code, signal) => {
      server = undefined;
      resolve({ code, signal, ...reported, ms: performance.now() - since });
    });
  });
}

await command(async () => {
  const node = await prepare({ web: !dev, check: refuseEarly });
  let everServed = false;
  for (let faults = 1; ; faults++) {
    const { code, signal, ready, refused, ms } = await runServer(node);
    everServed ||= ready;
    // A server that failed before it was ready would fail again.
    const hopeless = refused || (signal === null && !everServed);
    if (dev || signaled || code === 0 || hopeless) process.exit(code ?? 1);
    if (ms > soundAfterMs) faults = 1;
    const seconds = Math.min(maxWaitSeconds, 2 ** (faults - 1));
    process.stderr.write(`The server crashed (${signal ?? `exit code ${code}`}). It restarts in ${seconds} s.\n`);
    await new Promise((resolve) => (waiting = setTimeout(resolve, seconds * 1_000)));
  }
});
