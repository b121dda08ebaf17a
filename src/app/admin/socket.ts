import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { ConfigError } from "#platform/config.ts";
import { errorMessage } from "#platform/errors.ts";
import type { OpenServices } from "../services.ts";
import type { Outcome, Print } from "./backup-report.ts";

/** In bytes. Names of Unix sockets are short: 100 fit on every system. */
const maxSocketNameBytes = 100;
const requestBody = z.strictObject({ args: z.array(z.string()) });

function cliSocketAddress(dataDir: string): string {
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\stagedoor-${hash}`;
  const near = path.join(dataDir, "operator.sock");
  if (Buffer.byteLength(near) <= maxSocketNameBytes) return near;
  return path.join(tmpdir(), `stagedoor-${userInfo().uid}-${hash}`, "operator.sock");
}

/** Throws if another user of this machine made or can change the folder of the socket in the shared temporary folder. That user would receive the commands, with their passphrases. */
function requireOwnFolder(folder: string, dataDir: string): void {
  if (process.platform === "win32" || folder === dataDir) return;
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o022) === 0) return;
  throw new ConfigError(`${folder} belongs to another user of this machine. Remove it, or set a shorter DATA_DIR.`);
}

/** Starts the listener and returns a function that stops it. Only the process with the folder's lock calls this. */
export async function openCliSocket(services: OpenServices): Promise<() => Promise<void>> {
  const address = cliSocketAddress(services.config.dataDir);
  if (process.platform !== "win32") {
    mkdirSync(path.dirname(address), { recursive: true, mode: 0o700 });
    requireOwnFolder(path.dirname(address), services.config.dataDir);
    rmSync(address, { force: true });
  }
  const server = createServer((request, reply) => void respond(services, request, reply));
  const formerMask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(address, resolve));
  } finally {
    process.umask(formerMask);
  }
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    if (process.platform !== "win32") rmSync(address, { force: true });
  };
}

async function respond(services: OpenServices, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  try {
    const { args } = requestBody.parse(JSON.parse(await text(request)));
    reply.writeHead(200, { "content-type": "text/plain; charset=utf-8", trailer: "x-outcome", connection: "close" });
    const { runCommand } = await import("./commands.ts");
    const outcome = await runCommand(services, args, (part) => writeTo(reply, part));
    reply.addTrailers({ "x-outcome": outcome === "incomplete" ? outcome : outcome ? "done" : "failed" });
  } catch (error) {
    services.log.error({ err: error }, "a command of the operator CLI failed");
    if (!reply.headersSent) reply.writeHead(500, { trailer: "x-outcome" });
    reply.write(errorMessage(error));
    reply.addTrailers({ "x-outcome": "failed" });
  }
  reply.end();
}

async function writeTo(reply: ServerResponse, part: string): Promise<void> {
  if (reply.destroyed) throw new Error("the operator CLI disconnected");
  if (!reply.write(part)) await new Promise((resolve) => reply.once("drain", resolve).once("close", resolve));
}

export async function callRunningServer(dataDir: string, args: readonly string[], say: Print): Promise<Outcome> {
  const body = JSON.stringify({ args });
  const socketPath = cliSocketAddress(dataDir);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    requireOwnFolder(path.dirname(socketPath), dataDir);
    httpRequest({ socketPath, method: "POST", path: "/" }, resolve).once("error", reject).end(body);
  }).catch((error: unknown) => {
    throw new ConfigError(
      `The running server does not answer on its socket (${errorMessage(error)}). If it is starting, repeat the command when it is ready.`,
    );
  });
  reply.setEncoding("utf8");
  for await (const part of reply) await say(String(part));
  const outcome = reply.trailers["x-outcome"];
  return outcome === "incomplete" ? outcome : outcome === "done";
}
