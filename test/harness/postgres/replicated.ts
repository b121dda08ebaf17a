/** A separate PostgreSQL with a streaming replica, from the installed programs. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { freePorts } from "#test/free-ports.ts";
import { withClient } from "#test/served-databases.ts";
import { findPrograms, unprivileged } from "../../../scripts/postgres/postgres.mjs";
import { temporaryFolder } from "../../../scripts/temporary-folder.mjs";

/** False only if PostgreSQL's programs are missing and not required, because DATABASE_URL_TEST may name a remote server. */
export const replicationIsHere = findPrograms() !== undefined || process.env["CI"] !== undefined;

/** Starts a primary and its replica. Each can be stopped, suspended and started again. `close` deletes everything. */
export async function startReplicated() {
  const programs = findPrograms();
  if (!programs) throw new Error("PostgreSQL's programs are missing: install the package postgresql");
  const user = unprivileged();
  const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-replicated-"));
  if (user.uid) chownSync(folder, user.uid, user.gid ?? user.uid);
  const run = (name: string, args: string[]) => {
    const { status, stderr } = spawnSync(path.join(programs, name), args, { cwd: folder, ...user, encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  };
  const [primaryPort = 0, replicaPort = 0] = await freePorts(2);
  const server = (name: string, port: number) => {
    const data = path.join(folder, name);
    const url = `postgres://stagedoor@127.0.0.1:${port}/postgres`;
    let running: ChildProcess | undefined;
    return {
      data,
      url,
      start: async () => {
        const settings = {
          fsync: "off",
          max_connections: "100",
          log_min_messages: "panic",
          unix_socket_directories: "",
        };
        const options = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
        running = spawn(
          path.join(programs, "postgres"),
          ["-D", data, "-p", String(port), "-h", "127.0.0.1", ...options],
          {
            cwd: folder,
            ...user,
            stdio: "ignore",
          },
        );
        await vi.waitFor(() => withClient(url, (client) => client.query("select 1")), { timeout: 30_000 });
      },
      /** Stops it immediately, with its connections. */
      stop: async () => {
        const ended = running;
        running = undefined;
        if (ended?.kill("SIGQUIT")) await once(ended, "exit");
      },
      query: (text: string) => withClient(url, (client) => client.query(text)),
    };
  };
  const primary = server("primary", primaryPort);
  const replica = server("replica", replicaPort);
  run("initdb", ["-D", primary.data, "-U", "stagedoor", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  await primary.start();
  mkdirSync(replica.data, { mode: 0o700 });
  if (user.uid) chownSync(replica.data, user.uid, user.gid ?? user.uid);
  const from = ["-h", "127.0.0.1", "-p", String(primaryPort), "-U", "stagedoor"];
  run("pg_basebackup", [...from, "-D", replica.data, "-R", "-X", "stream", "-c", "fast", "--no-sync"]);
  await replica.start();
  return {
    primary,
    replica,
    close: async () => {
      await replica.stop();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
