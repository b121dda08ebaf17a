/** Debian's PgBouncer on loopback, in transaction mode. CI installs it. Elsewhere tests that need it are skipped by name. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "#test/free-ports.ts";
import { withClient } from "#test/served-databases.ts";
import { unprivileged } from "../../../scripts/postgres/postgres.mjs";
import { temporaryFolder } from "../../../scripts/temporary-folder.mjs";

/** Debian's location is not in most users' PATH. */
const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find((file) =>
  existsSync(file),
);

/** False only if the program is missing and not required. */
export const pgbouncerIsHere = program !== undefined || process.env["CI"] !== undefined;

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>;

/** Starts a pooler for a database. All its clients share two connections. `url` is its address for clients. `stop` and `start` can be repeated. */
export async function startPgBouncer(databaseUrl: string) {
  if (!program) throw new Error("PgBouncer is missing: install the package pgbouncer");
  const target = new URL(databaseUrl);
  const user = unprivileged();
  const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-pgbouncer-"));
  const port = await freePort();
  const settings = path.join(folder, "pgbouncer.ini");
  const password = target.password ? ` password=${decodeURIComponent(target.password)}` : "";
  const name = target.pathname.slice(1);
  writeFileSync(
    settings,
    [
      "[databases]",
      `${name} = host=${target.searchParams.get("host") ?? target.hostname} port=${target.port || 5432} user=${target.username}${password}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
      "default_pool_size = 2",
      "max_client_conn = 200",
    ].join("\n"),
  );
  if (user.uid) for (const file of [folder, settings]) chownSync(file, user.uid, user.gid ?? user.uid);
  let running: ChildProcess | undefined;
  const url = `postgres://${target.username}@127.0.0.1:${port}/${name}`;
  const pooler = {
    url,
    start: async () => {
      running = spawn(program, [settings], { ...user, stdio: "ignore" });
      await vi.waitFor(() => withClient(url, (client) => client.query("select 1")), { timeout: 30_000 });
    },
    stop: async () => {
      const ended = running;
      running = undefined;
      if (ended?.kill("SIGKILL")) await once(ended, "exit");
    },
    close: async () => {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await pooler.start();
  return pooler;
}
