/** `npm run admin -- …`, `npm run db:dump`, `npm run backup` and `npm run restore`: through the running server, or with the database opened here. */

import { existsSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { type Config, ConfigError, readConfig } from "#platform/config.ts";
import { findLockOwner } from "#platform/db/data-folder/lock.ts";
import { errorCode, errorMessage } from "#platform/errors.ts";
import { systemClock } from "#platform/time/clock.ts";
import { exitIncomplete } from "../backup/exit-codes.ts";
import type { Outcome, Print } from "./backup-report.ts";
import { callRunningServer } from "./socket.ts";
import { usageReply } from "./usage.ts";

async function run(args: readonly string[], say: Print): Promise<Outcome> {
  const config = readSettings();
  if (!config.databaseUrl) {
    if (findLockOwner(config.dataDir)) return callRunningServer(config.dataDir, args, say);
    refuseNothing(config);
  }
  const [{ openServices }, { runCommand }] = await Promise.all([import("../services.ts"), import("./commands.ts")]);
  const services = await openServices(config);
  try {
    return await runCommand(services, args, say);
  } finally {
    await services.close();
  }
}

/** Reads the settings of a worker, because a command never runs through a pooler. */
const readSettings = () =>
  readConfig({ ...process.env, PROCESS: "all", LOG_LEVEL: process.env["LOG_LEVEL"] ?? "error" });

function refuseNothing(config: Config): void {
  if (existsSync(path.join(config.dataDir, "pg"))) return;
  throw new ConfigError(`There is no database in ${config.dataDir} yet. Run npm start first, or set DATA_DIR.`);
}

const copies = {
  dump: {
    ending: "sql",
    say: (name: string) =>
      `The database is in ${name}. Restore it: psql -v ON_ERROR_STOP=1 -f ${name} DATABASE\nUploaded files are not in it: copy DATA_DIR/files as well.\n`,
  },
  export: { ending: "jsonl", say: (name: string) => `The market is in ${name}: one JSON object per line.\n` },
} as const;
const isCopy = (command: string): command is keyof typeof copies => Object.hasOwn(copies, command);

/** Writes to a new file that only its owner can read. A failure leaves no file. "-" is the standard output. */
async function copy(command: keyof typeof copies, target: string | undefined): Promise<Outcome> {
  if (target === "-") return run([command], toStream(process.stdout));
  const { ending, say: print } = copies[command];
  const name = target ?? `stagedoor-${systemClock.now().toISOString().replaceAll(/[:-]/g, "").slice(0, 15)}.${ending}`;
  const handle = await open(name, "wx", 0o600).catch((error: unknown) => {
    throw new ConfigError(`The file ${name} cannot be created (${errorMessage(error)}).`);
  });
  const file = handle.createWriteStream();
  const write = toStream(file);
  let [isComplete, last] = [false, ""];
  try {
    const succeeded = await run([command], (part) => write((last = part)));
    file.end();
    await finished(file);
    isComplete = succeeded === true;
  } finally {
    file.destroy();
    if (!isComplete) await rm(name);
  }
  if (isComplete) process.stdout.write(print(name));
  else process.stderr.write(last.slice(-500));
  return isComplete;
}

const toStream =
  (stream: Writable): Print =>
  (part) =>
    new Promise((resolve, reject) => stream.write(part, (error) => (error ? reject(error) : resolve())));

async function runHere(name: string): Promise<Outcome> {
  const print = toStream(process.stdout);
  if (isCopy(name)) return copy(name, args[0]);
  if (name !== "backup" && name !== "restore") return run([name, ...args], print);
  const { backupCommand, restoreCommand, verifyCommand } = await import("./backup-command.ts");
  const [file = "", archive = ""] = args;
  if (name === "restore") return restoreCommand(readSettings(), file, print);
  if (file === "verify") return verifyCommand(archive, print);
  const config = readSettings();
  if (!config.databaseUrl) refuseNothing(config);
  return backupCommand(config, file, print);
}

const exitCodeOf = (outcome: Outcome) => (outcome === "incomplete" ? exitIncomplete : outcome ? 0 : 1);

// A reader such as head can end before the command. The write that fails then ends the command.
process.stdout.on("error", (error) => {
  if (errorCode(error) !== "EPIPE") throw error;
});

const words = process.argv.slice(2);
const [command = "", ...args] = words;
try {
  const reply = usageReply(words);
  if (reply) {
    (reply.failed ? process.stderr : process.stdout).write(reply.text);
    process.exitCode = reply.failed ? 1 : 0;
  } else if (command === "verify-contract") process.exitCode = (await verifyContract(args[0] ?? "")) ? 0 : 1;
  else process.exitCode = exitCodeOf(await runHere(command));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else if (errorCode(error) !== "EPIPE") throw error;
}

/** Checks a signed copy without server and database. Returns false if it was changed. Throws ConfigError if it is unreadable. */
export async function verifyContract(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ConfigError(`The file ${file} cannot be read (${errorMessage(error)}).`);
  });
  const { verifySealedCopy } = await import("#contracts/index.ts");
  const { valid, lines } = await verifySealedCopy(bytes);
  process.stdout.write(`${lines.join("\n")}\n`);
  return valid;
}
