/**
 * npm start: prepares the clone, then runs the server in a process group of its own. The first signal is handed on once (a
 * terminal and npm both send it), and the server is told to end when whoever started us is gone. With --dev it reloads.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { environmentFor, prepare } from "./setup.mjs";
import { command, root, stopRunning } from "./steps.mjs";

const dev = process.argv.includes("--dev");
const parent = process.ppid;
const lookForParentEveryMs = 250;
let server;
let told = false;

function stop() {
  if (told) return;
  told = true;
  if (server) return void server.kill("SIGTERM");
  stopRunning();
  process.exit(130);
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
setInterval(() => process.ppid !== parent && stop(), lookForParentEveryMs).unref();

/** The server begins again when a room changes. The web reloads itself, and writes files of its own while it does. */
function watchedRooms() {
  const rooms = readdirSync(path.join(root, "src")).filter((room) => room !== "web");
  return rooms.map((room) => `--watch-path=src/${room}`);
}

await command(async () => {
  const node = await prepare({ web: !dev });
  const args = dev ? ["--conditions=development", ...watchedRooms(), "src/app/main.ts"] : ["src/app/main.ts"];
  server = spawn(node, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: environmentFor(node, {
      NODE_ENV: dev ? "development" : (process.env.NODE_ENV ?? "production"),
      // Compiled modules are kept between starts; it saves a good part of a warm one.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, "node_modules", ".cache", "node"),
    }),
  });
  if (told) server.kill("SIGTERM");
  server.once("error", (error) => {
    process.stderr.write(`The server could not be started (${error.message}).\n`);
    process.exit(1);
  });
  server.once("exit", (code) => process.exit(code ?? 1));
});
