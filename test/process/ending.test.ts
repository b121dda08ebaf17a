/** How a process ends, and what the next one finds. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStream } from "#test/harness/streams.ts";
import { mailsTo, openAccount, signUp } from "./accounts.ts";
import { emptyMarketFolder, endAll, freePort, freshFolder, launch, type Server, startServer } from "./server.ts";

afterAll(endAll);

// The servers of these tests follow each other on one folder: each test ends one and the next server shows what it left.
describe("a server on the folder of the one before", () => {
  const DATA_DIR = emptyMarketFolder();
  let running: Server | undefined;
  /** The server that an earlier test has started on the folder, else a new one. */
  const serverOfFolder = async () => (running ??= await startServer({ DATA_DIR, RATE_LIMITS: "off" }));
  async function end(server: Server, signal: NodeJS.Signals) {
    running = undefined;
    server.kill(signal);
    return server.ended;
  }

  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it with 0, and everything is there afterwards", async (signal) => {
    const first = await serverOfFolder();
    const email = `${signal.toLowerCase()}@example.test`;
    await signUp(first, email);
    expect(await end(first, signal)).toEqual({ code: 0, signal: null });
    expect(existsSync(path.join(DATA_DIR, "lock"))).toBe(false);
    expect(existsSync(path.join(DATA_DIR, "operator.sock"))).toBe(false);
    const second = await serverOfFolder();
    expect((await mailsTo(second, email)).length).toBeGreaterThan(0);
  });

  test("SIGTERM ends twenty open streams first, and the server waits neither for them nor for a connection ahead of its request", async () => {
    const server = await serverOfFolder();
    const ahead = connect(server.port, "127.0.0.1").on("error", () => undefined);
    const streams = [];
    for (const name of ["ana", "ben", "cleo", "dov"]) {
      const authorization = await openAccount(server, `${name}@example.test`);
      for (let count = 0; count < 5; count++) streams.push(await openStream(server.address, { authorization }));
    }
    expect(await (await fetch(`${server.address}/metrics`)).text()).toMatch(/^stagedoor_open_streams 20$/m);
    const ended = end(server, "SIGTERM");
    // Ended in good order: an answer that was cut off would be an error to its reader.
    await Promise.all(streams.map((stream) => stream.ended));
    expect(await ended).toEqual({ code: 0, signal: null });
    ahead.destroy();
  });

  test("the lock of a killed process is taken over, and what it answered is there", async () => {
    const first = await serverOfFolder();
    await signUp(first, "quinn@example.test");
    await end(first, "SIGKILL");
    expect(JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8"))).toMatchObject({ pid: first.pid });
    const second = await serverOfFolder();
    await expect.poll(() => mailsTo(second, "quinn@example.test"), { timeout: 10_000 }).not.toHaveLength(0);
  });

  test("a lock file with nothing readable in it is taken over", async () => {
    await end(await serverOfFolder(), "SIGKILL");
    writeFileSync(path.join(DATA_DIR, "lock"), "{");
    const server = await serverOfFolder();
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
  });

  test("a process that has lost its folder to another ends before it writes again", async () => {
    const server = await serverOfFolder();
    // What a process on another machine does once this one has not touched the file for 30 seconds.
    rmSync(path.join(DATA_DIR, "lock"));
    const other = JSON.stringify({ pid: 7, started: "", host: "elsewhere", nonce: "theirs" });
    writeFileSync(path.join(DATA_DIR, "lock"), other);
    await signUp(server, "late@example.test").catch(() => undefined);
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toContain("Another process has taken over the folder");
    expect(readFileSync(path.join(DATA_DIR, "lock"), "utf8")).toBe(other);
  });
});

test("the server ends when the start script is killed", async () => {
  const DATA_DIR = emptyMarketFolder();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: "0" });
  await expect.poll(() => start.output(), { timeout: 60_000 }).toContain("ready at");
  const { pid } = JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8")) as { pid: number };
  expect(pid).not.toBe(start.child.pid);
  start.child.kill("SIGKILL");
  await expect.poll(() => existsSync(path.join(DATA_DIR, "lock")), { timeout: 20_000 }).toBe(false);
});

test("the start script hands a signal on and ends with the server", async () => {
  const DATA_DIR = emptyMarketFolder();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: "0" });
  await expect.poll(() => start.output(), { timeout: 60_000 }).toContain("ready at");
  start.child.kill("SIGINT");
  start.child.kill("SIGINT");
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(path.join(DATA_DIR, "lock"))).toBe(false);
});

const lockOwner = (DATA_DIR: string) =>
  (JSON.parse(readFileSync(path.join(DATA_DIR, "lock"), "utf8")) as { pid: number }).pid;

test("a server that ended by a fault is started again, and a signal still ends both", async () => {
  const DATA_DIR = emptyMarketFolder();
  const port = await freePort();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: String(port) });
  await expect.poll(() => start.output(), { timeout: 60_000 }).toContain("ready at");
  const first = lockOwner(DATA_DIR);
  process.kill(first, "SIGKILL");
  await expect.poll(() => start.output(), { timeout: 20_000 }).toContain("started again in 1 s");
  await expect.poll(() => start.output().match(/ready at/g)?.length, { timeout: 60_000 }).toBe(2);
  expect(lockOwner(DATA_DIR)).not.toBe(first);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  start.child.kill("SIGTERM");
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(start.output().match(/started again/g)).toHaveLength(1);
});

test("a signal during the wait before the next start ends the start script", async () => {
  const DATA_DIR = emptyMarketFolder();
  const start = launch("scripts/start.mjs", [], { DATA_DIR, PORT: String(await freePort()) });
  await expect.poll(() => start.output(), { timeout: 60_000 }).toContain("ready at");
  process.kill(lockOwner(DATA_DIR), "SIGKILL");
  await expect.poll(() => start.output(), { timeout: 20_000, interval: 10 }).toContain("started again");
  start.child.kill("SIGTERM");
  expect((await start.ended).code).toBe(130);
});

test("a setting that cannot work ends the start script at once", async () => {
  const start = launch("scripts/start.mjs", [], { DATA_DIR: freshFolder(), DEMO: "perhaps" });
  expect(await start.ended).toEqual({ code: 1, signal: null });
  expect(start.output()).toContain("Stagedoor cannot start.");
  expect(start.output()).not.toContain("again");
});
