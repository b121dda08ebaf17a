import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStream } from "#test/harness/streams.ts";
import { mailsTo, openAccount, signUp } from "./accounts.ts";
import { emptyMarketFolder, endAll, freePort, freshFolder, launch, type Server, startServer } from "./server.ts";

afterAll(endAll);

// These servers use one folder in sequence: each test ends one, and the next server checks what it left.
describe("a server on the previous server's folder", () => {
  const DATA_DIR = emptyMarketFolder();
  let running: Server | undefined;
  /** Returns the server of an earlier test on the folder, or starts one. */
  const serverOfFolder = async () => (running ??= await startServer({ DATA_DIR, RATE_LIMITS: "off" }));
  async function end(server: Server, signal: NodeJS.Signals) {
    running = undefined;
    server.kill(signal);
    // As by systemd, which signals the server and the start script.
    const again = setInterval(() => server.kill(signal), 100);
    return server.ended.finally(() => clearInterval(again));
  }

  test.each(["SIGTERM", "SIGINT"] as const)("ends with 0 on %s, and retains all data", async (signal) => {
    const first = await serverOfFolder();
    const email = `${signal.toLowerCase()}@example.test`;
    await signUp(first, email);
    expect(await end(first, signal)).toEqual({ code: 0, signal: null });
    expect(existsSync(path.join(DATA_DIR, "lock"))).toBe(false);
    expect(existsSync(path.join(DATA_DIR, "operator.sock"))).toBe(false);
    const second = await serverOfFolder();
    expect((await mailsTo(second, email)).length).toBeGreaterThan(0);
  });

  test("ends twenty open streams first on SIGTERM, without waiting for them or for a connection before its request", async () => {
    const server = await serverOfFolder();
    const ahead = connect(server.port, "127.0.0.1").on("error", () => undefined);
    const streams = [];
    for (const name of ["ana", "ben", "cleo", "dov"]) {
      const authorization = await openAccount(server, `${name}@example.test`);
      for (let count = 0; count < 5; count++) streams.push(await openStream(server.address, { authorization }));
    }
    expect(await (await fetch(`${server.address}/metrics`)).text()).toMatch(/^stagedoor_open_streams 20$/m);
    const ended = end(server, "SIGTERM");
    // Ended in order. A truncated response would be an error for the client.
    await Promise.all(streams.map((stream) => stream.ended));
    expect(await ended).toEqual({ code: 0, signal: null });
    ahead.destroy();
  });

  test("acquires the lock of a killed process, and retains its acknowledged data", async () => {
    const first = await serverOfFolder();
    await signUp(first, "quinn@example.test");
    await end(first, "SIGKILL");
    expect(JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8"))).toMatchObject({ pid: first.pid });
    const second = await serverOfFolder();
    await expect.poll(() => mailsTo(second, "quinn@example.test")).not.toHaveLength(0);
  });

  test("acquires an unreadable lock file", async () => {
    await end(await serverOfFolder(), "SIGKILL");
    writeFileSync(path.join(DATA_DIR, "lock"), "{");
    const server = await serverOfFolder();
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
  });

  test("ends before the next write when another process has acquired its folder", async () => {
    const server = await serverOfFolder();
    // As by a process on another machine after 30 seconds without an update of this one's lock.
    rmSync(path.join(DATA_DIR, "lock"));
    const other = JSON.stringify({ pid: 7, started: "", host: "elsewhere", nonce: "theirs" });
    writeFileSync(path.join(DATA_DIR, "lock"), other);
    await signUp(server, "late@example.test").catch(() => undefined);
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toContain("Another process took over the folder");
    expect(readFileSync(path.join(DATA_DIR, "lock"), "utf8")).toBe(other);
  });
});

test("ends the server when the start script is killed", async () => {
  const DATA_DIR = emptyMarketFolder();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: "0" });
  await expect.poll(() => start.output()).toContain("ready at");
  const { pid } = JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8")) as { pid: number };
  expect(pid).not.toBe(start.child.pid);
  start.child.kill("SIGKILL");
  await expect.poll(() => existsSync(path.join(DATA_DIR, "lock"))).toBe(false);
});

test("forwards a signal from the start script, which ends with the server", async () => {
  const DATA_DIR = emptyMarketFolder();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: "0" });
  await expect.poll(() => start.output()).toContain("ready at");
  start.child.kill("SIGINT");
  start.child.kill("SIGINT");
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(path.join(DATA_DIR, "lock"))).toBe(false);
});

const lockOwner = (DATA_DIR: string) =>
  (JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8")) as { pid: number }).pid;

test("restarts a server that failed, and ends both on a signal", async () => {
  const DATA_DIR = emptyMarketFolder();
  const port = await freePort();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: String(port) });
  await expect.poll(() => start.output()).toContain("ready at");
  const first = lockOwner(DATA_DIR);
  process.kill(first, "SIGKILL");
  await expect.poll(() => start.output()).toContain("It restarts in 1 s");
  await expect.poll(() => start.output().match(/ready at/g)?.length).toBe(2);
  expect(lockOwner(DATA_DIR)).not.toBe(first);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  start.child.kill("SIGTERM");
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(start.output().match(/It restarts in/g)).toHaveLength(1);
});

test("ends the start script on a signal during the wait before the next start", async () => {
  const endedInWait = async () => {
    const DATA_DIR = emptyMarketFolder();
    const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: String(await freePort()) });
    await expect.poll(() => start.output()).toContain("ready at");
    process.kill(lockOwner(DATA_DIR), "SIGKILL");
    await expect.poll(() => start.output(), { interval: 10 }).toContain("It restarts in");
    start.child.kill("SIGTERM");
    return (await start.ended).code;
  };
  // On a busy machine the signal can come after this second.
  await expect.poll(endedInWait, { timeout: 500_000 }).toBe(130);
});

test("ends the start script immediately for an invalid setting", async () => {
  const start = launch("scripts/start.mjs", [], { DATA_DIR: freshFolder(), DEMO: "perhaps" });
  expect(await start.ended).toEqual({ code: 1, signal: null });
  expect(start.output()).toContain("Stagedoor cannot start.");
  expect(start.output()).not.toContain("again");
});
