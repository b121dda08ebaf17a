/** Two processes on one database are restarted in turn under load without a refused request. */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { endAll, freshFolder, type Server, startServer } from "../process/server.ts";

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase("postgres");
});
afterAll(async () => {
  await endAll();
  await place.drop();
});

const SECRETS_KEY = randomBytes(32).toString("base64");
const start = (more: Record<string, string> = {}) =>
  startServer({
    DATABASE_URL: place.url ?? "",
    DATA_DIR: freshFolder(),
    PROCESS: "web",
    DEMO: "1",
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    SECRETS_KEY,
    ...more,
  });

const signUp = (email: string) => ({
  method: "POST",
  path: "/auth/v1/signup",
  body: JSON.stringify({ email, password: "a quiet lamp backstage", data: { name: "Robin" } }),
});
const search = (words: string) => ({ method: "GET", path: `/api/artists?search=${words}`, body: "" });

/** Sends one request on a persistent connection. Throws the connection's error. */
async function send(port: number, agent: Agent, { method, path, body }: ReturnType<typeof search>) {
  const sent = request({ port, agent, method, path, headers: { "content-type": "application/json" } });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  return { status: response.statusCode, ends: response.headers.connection === "close" };
}

/** Clients with persistent connections that use the other process when theirs ends or refuses, as behind a load balancer. */
function load(ports: readonly [number, number]) {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let stopped = false;
  const client = async (number: number) => {
    let agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let at = number % 2;
    for (let turn = 0; !stopped; turn++) {
      const port = ports[at] ?? 0;
      try {
        const what = turn % 10 === 0 ? signUp(`client-${number}-${turn}@example.test`) : search(`x${turn}`);
        const { status, ends } = await send(port, agent, what);
        count(`${status}`);
        count(`answered on ${port}`);
        if (ends) at = 1 - at;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        if (code !== "ECONNREFUSED") count(code);
        at = 1 - at;
        agent.destroy();
        agent = new Agent({ keepAlive: true, maxSockets: 1 });
      }
    }
    agent.destroy();
  };
  const clients = Promise.all(Array.from({ length: 6 }, (_, number) => client(number)));
  return {
    counts,
    stop: async () => {
      stopped = true;
      await clients;
    },
  };
}

test("refuses and resets no request while each of two processes is restarted", async () => {
  const servers: [Server, Server] = [await start(), await start()];
  const work = load([servers[0].port, servers[1].port]);
  const answered = ({ port }: Server) => work.counts.get(`answered on ${port}`) ?? 0;
  for (const server of servers) {
    const before = answered(server);
    // Clients of the restarted process return to it when the other one ends.
    await expect.poll(() => answered(server), { timeout: 60_000 }).toBeGreaterThan(before + 20);
    server.kill("SIGTERM");
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await start({ PORT: String(server.port) });
  }
  await work.stop();
  const unexpected = [...work.counts.keys()].filter((what) => what !== "200" && !what.startsWith("answered"));
  expect(Object.fromEntries(unexpected.map((what) => [what, work.counts.get(what)]))).toEqual({});
});

test("reports to a load balancer that it is not ready while it still serves, and ends", async () => {
  const server = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await send(server.port, agent, search("before"))).toEqual({ status: 200, ends: false });
  server.kill("SIGTERM");
  const ready = new Agent();
  await expect
    .poll(async () => send(server.port, ready, { ...search(""), path: "/readyz" }))
    .toMatchObject({ status: 503 });
  expect(await send(server.port, agent, search("during"))).toEqual({ status: 200, ends: true });
  expect(await server.ended).toEqual({ code: 0, signal: null });
});
