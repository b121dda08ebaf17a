import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { silencable } from "#test/harness/postgres/silencable.ts";
import { endAll, freshFolder, type Server, startServer } from "../process/server.ts";

let place: TestDatabase;
let url: string;
beforeAll(async () => {
  place = await freshDatabase("postgres");
  url = place.url ?? "";
});
afterAll(async () => {
  await endAll();
  await place.drop();
});

const SECRETS_KEY = randomBytes(32).toString("base64");
const start = (databaseUrl: string) =>
  startServer({
    DATABASE_URL: databaseUrl,
    DATA_DIR: freshFolder(),
    DEMO: "1",
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    SECRETS_KEY,
  });

/** Signs a user up, with about twenty statements, most of them in transactions. */
const signUp = (server: Server, name: string) =>
  fetch(`${server.address}/auth/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: `${name}@example.test`,
      password: "a quiet lamp backstage",
      data: { name: "Robin" },
    }),
  });

type Answer = { status: number; code: string };

/** Sends eight concurrent requests until it is stopped. Returns every response. */
function load(server: Server) {
  let stopped = false;
  let count = 0;
  const answers: Answer[] = [];
  const worker = async (number: number) => {
    while (!stopped) {
      const response =
        count++ % 4 === 0
          ? await signUp(server, `load-${number}-${count}`)
          : await fetch(`${server.address}/api/artists?search=${count}`);
      const body = (await response.json()) as { code?: string };
      answers.push({ status: response.status, code: body.code ?? "" });
    }
  };
  const work = Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
  // The caller that waits for the end gets the error. Until then it must not count as unhandled.
  work.catch(() => undefined);
  return {
    stop: async () => {
      stopped = true;
      await work;
      return answers;
    },
  };
}

test("serves again after its busy connections were ended", async () => {
  const server = await start(url);
  const owner = new pg.Client({ connectionString: url });
  owner.on("error", () => undefined);
  await owner.connect();
  const work = load(server);
  for (let round = 0; round < 25; round++) {
    await new Promise((resolve) => setTimeout(resolve, 120));
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'vitest'",
    );
  }
  const answers = await work.stop().catch((error: unknown) => {
    throw new Error(`the server did not answer: ${server.output()}`, { cause: error });
  });
  await owner.end();
  expect(new Set(answers.map(({ status }) => status))).toContain(200);
  expect(answers.filter(({ status, code }) => status >= 500 && !(status === 503 && code === "unavailable"))).toEqual(
    [],
  );
  expect((await signUp(server, "afterwards")).status).toBe(200);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

const asBrowser = { headers: { accept: "text/html,application/xhtml+xml" } };

/** Fails unless the response is readable, not cached, and an outage for search engines. */
async function expectOutagePage(response: Response) {
  const { pathname } = new URL(response.url);
  const { status, headers } = response;
  expect.soft(status, pathname).toBe(503);
  expect.soft(headers.get("retry-after"), pathname).toBe("5");
  expect.soft(headers.get("cache-control"), pathname).toContain("no-store");
  expect.soft(await response.text(), pathname).toMatch(/lease try again in a (moment|few seconds)\./);
}

const anId = randomUUID();
/** One URL of each kind of page that queries the database. */
const opened = [
  "/?search=anybody",
  "/artist/some-act",
  "/book/some-act",
  "/contact",
  "/auth",
  "/account",
  "/admin",
  `/booking/${anId}`,
  `/pay/${anId}/deposit`,
  "/sign/some-secret-key-of-a-link",
  "/sitemap.xml",
  "/nothing/here",
  `/sandbox/checkout/${anId}`,
];

test("returns 503 for every kind of page while the database is away but serves the metrics of the process, and the page when it is back", async () => {
  const proxy = await silencable(new URL(url));
  try {
    const server = await start(proxy.url);
    proxy.goAway(true);
    for (const address of opened) await expectOutagePage(await fetch(`${server.address}${address}`, asBrowser));
    // The request of the browser's router for a followed link.
    const data = await fetch(`${server.address}/artist/some-act.data`);
    expect({ status: data.status, retry: data.headers.get("retry-after") }).toEqual({ status: 503, retry: "5" });
    const metrics = async () => {
      const text = await (await fetch(`${server.address}/metrics`)).text();
      return text.match(/^(process_start_time_seconds|stagedoor_database_up \d|stagedoor_waiting_for_a_person)/gm);
    };
    expect(await metrics()).toEqual(["process_start_time_seconds", "stagedoor_database_up 0"]);
    proxy.goAway(false);
    await expect.poll(async () => (await fetch(`${server.address}/contact`)).status).toBe(200);
    expect(await metrics()).toEqual(
      expect.arrayContaining(["stagedoor_database_up 1", "stagedoor_waiting_for_a_person"]),
    );
    expect((await fetch(`${server.address}/sitemap.xml`)).status).toBe(404);
  } finally {
    proxy.close();
  }
});

test("lets PostgreSQL end a transaction that is silent for 30 seconds, because its process may be stopped", async () => {
  const { rows } = await sql<{ limit: string }>`
    select current_setting('idle_in_transaction_session_timeout') as limit`.execute(place.database.db);
  expect(rows).toEqual([{ limit: "30s" }]);
});

test("returns 503 while the database refuses connections, and recovers when it accepts them", async () => {
  const server = await start(url);
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = "/postgres";
  const operator = new pg.Client({ connectionString: maintenance.href });
  await operator.connect();
  try {
    await operator.query(`alter database ${name} allow_connections false`);
    await operator.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    await expectOutagePage(await fetch(`${server.address}/artist/closed-act`, asBrowser));
  } finally {
    await operator.query(`alter database ${name} allow_connections true`);
    await operator.end();
  }
  await expect.poll(async () => (await fetch(`${server.address}/contact`)).status).toBe(200);
});

test("is not ready and returns 503 while the database does not respond, and lets no request wait indefinitely", async () => {
  const proxy = await silencable(new URL(url));
  try {
    const server = await start(proxy.url);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    proxy.silence(true);
    const [ready, ...answers] = await Promise.all([
      fetch(`${server.address}/readyz`, { signal: AbortSignal.timeout(10_000) }),
      fetch(`${server.address}/api/artists?search=x`),
      signUp(server, "silent"),
    ]);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: "unavailable", schema: expect.stringMatching(/^\d{4}_/) });
    await expectOutagePage(await fetch(`${server.address}/artist/silent-act`, asBrowser));
    for (const response of answers) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining("database") });
    }
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    proxy.silence(false);
    await expect.poll(async () => (await fetch(`${server.address}/readyz`)).status).toBe(200);
    await expect.poll(async () => (await signUp(server, "heard")).status).toBe(200);
  } finally {
    proxy.close();
  }
});
