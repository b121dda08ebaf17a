/** Radicale, Debian's CalDAV server, on loopback. CI installs it. Elsewhere tests that need it are skipped by name. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "#test/free-ports.ts";

/** False only if the server is missing and not required. */
export const radicaleIsHere = (() => {
  try {
    execFileSync("radicale", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env["CI"] !== undefined;
  }
})();

export const radicalePassword = "app password";

export type Radicale = Awaited<ReturnType<typeof startRadicale>>;

/** Starts a server for the users `names`, who share the password. `readOnly` cannot write. Its data survives `stop` and `start`. */
export async function startRadicale(names: readonly string[], { readOnly }: { readOnly: string }) {
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-radicale-"));
  const users = path.join(folder, "users");
  writeFileSync(users, names.map((name) => `${name}:${radicalePassword}\n`).join(""));
  const rights = path.join(folder, "rights");
  writeFileSync(
    rights,
    [
      `[reader]\nuser: ${readOnly}\ncollection: {user}(/.*)?\npermissions: Rr`,
      "[owner]\nuser: .+\ncollection: {user}(/.*)?\npermissions: RrWw",
      "[root]\nuser: .*\ncollection:\npermissions: R",
    ].join("\n\n"),
  );
  // A user's folder is made at the first sign-in, if they may write.
  mkdirSync(path.join(folder, "data", "collection-root", readOnly), { recursive: true });
  const host = `127.0.0.1:${await freePort()}`;
  const options = [
    `--server-hosts=${host}`,
    "--auth-type=htpasswd",
    `--auth-htpasswd-filename=${users}`,
    "--auth-htpasswd-encryption=plain",
    "--auth-delay=0",
    "--rights-type=from_file",
    `--rights-file=${rights}`,
    `--storage-filesystem-folder=${path.join(folder, "data")}`,
  ];
  let running: ChildProcess | undefined;
  const url = `http://${host}/`;
  const call = (name: string, method: string, address: string, body?: string) =>
    fetch(new URL(address, url), {
      method,
      headers: { authorization: `Basic ${btoa(`${name}:${radicalePassword}`)}`, depth: "1" },
      ...(body === undefined ? {} : { body }),
    });

  const server = {
    host,
    url,
    start: async () => {
      running = spawn("radicale", ["--config", "", ...options], { stdio: "ignore" });
      await vi.waitFor(() => fetch(url), { timeout: 60_000 });
    },
    stop: async () => {
      const ended = running;
      running = undefined;
      if (ended?.kill("SIGKILL")) await once(ended, "exit");
    },
    call,
    /** Returns the URLs of a user's calendars, or of a calendar's entries. */
    list: async (name: string, address = `/${name}/`) => {
      const text = await (await call(name, "PROPFIND", address)).text();
      const found = [...text.matchAll(/<response><href>([^<]+)<\/href>/g)].map(([, href = ""]) => href);
      return found.filter((href) => href !== address).sort();
    },
    read: async (name: string, calendar: string) => {
      const entries = await server.list(name, calendar);
      return Promise.all(entries.map(async (entry) => (await call(name, "GET", entry)).text()));
    },
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
