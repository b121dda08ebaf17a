/**
 * Three web and two worker processes behind a proxy are killed (SIGKILL) in turn under load: no acknowledged request is
 * lost or done twice, no retrying client fails, and open streams reconnect. TEST_DEEP=1 sends 200 requests a second.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { makeUser } from "#test/factories/users.ts";
import { freePorts } from "#test/free-ports.ts";
import { startRetryingProxy } from "#test/harness/processes/retrying-proxy.ts";
import { openStream } from "#test/harness/streams.ts";
import { testPassword } from "#test/test-app.ts";
import { endAll, freshFolder, type Server, startServer } from "../process/server.ts";
import { addArtist, bookingInput, chargedTwice, daysAhead, endLeases, moneyOffences } from "./two-servers.ts";

const deep = process.env["TEST_DEEP"] === "1";
const requestsPerSecond = deep ? 200 : 30;
const kills = deep ? 10 : 2;
/** One of `perBooking` requests is a booking, and one of `perPayment` bookings is paid. */
const [perBooking, perPayment] = [deep ? 40 : 20, 4];
/** Maximum of concurrent requests. A busy machine answers fewer requests, but loses none. */
const maxConcurrent = 100;
const artists = 40;

let place: TestDatabase;
let proxy: Awaited<ReturnType<typeof startRetryingProxy>>;
/** Web and worker processes alternate, so kills affect both roles. */
const processes: { role: string; port: number; server: Promise<Server> }[] = [];
let env: Record<string, string>;

const startProcess = (role: string, port: number) =>
  startServer({ ...env, PROCESS: role, PORT: String(port), DATA_DIR: freshFolder() });

beforeAll(async () => {
  place = await freshDatabase("postgres");
  env = {
    DATABASE_URL: place.url ?? "",
    DEMO: "1",
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    SECRETS_KEY: randomBytes(32).toString("base64"),
    // A token of one process is valid for the others.
    PUBLIC_URL: "http://stagedoor.localhost",
  };
  const roles = ["web", "worker", "web", "worker", "web"];
  const ports = await freePorts(roles.length);
  for (const [at, role] of roles.entries()) {
    const port = ports[at] ?? 0;
    processes.push({ role, port, server: startProcess(role, port) });
  }
  await Promise.all(processes.map(({ server }) => server));
  proxy = await startRetryingProxy(processes.filter(({ role }) => role === "web").map(({ port }) => port));
  for (let number = 0; number < artists; number++) await addArtist(place, `act-${number}`);
});
afterAll(async () => {
  proxy?.close();
  await endAll();
  await place?.drop();
});

type Answer = { status: number; body: Record<string, unknown>; cookie: string };
let triedAgain = 0;

/** Retries while no process responds, like a user or a program. Throws after a minute. */
async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  for (const since = performance.now(); ; await pause(100)) {
    try {
      const response = await fetch(`${proxy.url}${path}`, {
        method: body ? "POST" : "GET",
        redirect: "manual",
        headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      const cookie = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
      if (response.status !== 502 && response.status !== 503)
        return {
          status: response.status,
          body: text.startsWith("{") ? JSON.parse(text) : {},
          cookie: cookie.join("; "),
        };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    triedAgain++;
    if (performance.now() - since > 60_000) throw new Error(`${path} got no answer within a minute`);
  }
}

/** Acknowledged and unexpected responses to the clients. */
const acknowledged = new Map<string, number>();
const paid = new Set<string>();
const unexpected: string[] = [];
let answered = 0;

const note = (what: string, { status, body }: Answer, ...expectedStatuses: number[]) => {
  if (expectedStatuses.includes(status)) return true;
  unexpected.push(`${what}: ${status} ${JSON.stringify(body)}`);
  return false;
};

/** Sends a promoter's form for a separate date until it is answered, and may pay the deposit. */
async function book(number: number): Promise<void> {
  const night = daysAhead(30 + Math.floor(number / artists));
  const browser = `browser=${randomBytes(18).toString("base64url")}`;
  const form = { ...bookingInput(`act-${number % artists}`, number, night), formKey: randomUUID() };
  const requested = await call("/api/bookings", form, { cookie: browser });
  if (!note("booking", requested, 200, 201)) return;
  const id = String(requested.body["id"]);
  acknowledged.set(id, number);
  if (number % perPayment !== 0) return;
  const cookie = `${browser}; ${requested.cookie}`;
  const opened = await call("/api/functions/create-contract-and-checkout", { booking_id: id }, { cookie });
  if (!note("checkout", opened, 200)) return;
  const checkout = new URL(String(opened.body["checkout_url"])).pathname;
  if (note("payment", await call(`${checkout}/pay`, {}), 303)) paid.add(id);
}

/** Sends requests at a fixed rate, and fewer while too many are open. `stop` waits for all of them. */
function load() {
  const running = new Set<Promise<void>>();
  let sent = 0;
  let bookings = 0;
  const send = async (number: number) => {
    if (number % perBooking === 0) await book(bookings++);
    else
      note(
        "read",
        await call(number % 2 ? `/api/artists/act-${number % artists}` : `/api/artists?search=x${number}`),
        200,
      );
    answered++;
  };
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * requestsPerSecond;
    while (sent < due && running.size < maxConcurrent) {
      const one = send(sent++)
        .catch((error: unknown) => void unexpected.push(String(error)))
        .finally(() => running.delete(one));
      running.add(one);
    }
  }, 20);
  return async () => {
    clearInterval(timer);
    while (running.size > 0) await Promise.all(running);
    return { sent, bookings, perSecond: sent / ((performance.now() - began) / 1_000) };
  };
}

/** Holds a stream open like a browser, and opens another one when it ends. */
async function watcher(headers: Record<string, string>) {
  let stream = await openStream(proxy.url, headers);
  let opened = 1;
  let left = false;
  const keep = (async () => {
    while (!left) {
      await stream.ended.catch(() => undefined);
      while (!left) {
        const next = await openStream(proxy.url, headers).catch(() => pause(100));
        if (!next) continue;
        [stream, opened] = [next, opened + 1];
        break;
      }
    }
  })();
  return {
    heard: () => stream.heard.filter((about) => about === "bookings").length,
    opened: () => opened,
    leave: async () => {
      left = true;
      stream.leave();
      await keep;
    },
  };
}

test(
  `loses and fails no request with ${kills} kills at ${requestsPerSecond} requests a second`,
  { timeout: 900_000 },
  async () => {
    const person = await place.database.transaction((tx) => makeUser(tx, { role: "admin", password: testPassword }));
    const signedIn = await call("/auth/v1/token?grant_type=password", { email: person.email, password: testPassword });
    const headers = { authorization: `Bearer ${String(signedIn.body["access_token"])}` };
    const watchers = [await watcher(headers), await watcher(headers), await watcher(headers)];

    const stop = load();
    const more = async () => {
      const before = answered;
      await expect.poll(() => answered).toBeGreaterThan(before + requestsPerSecond);
    };
    for (let kill = 0; kill < kills; kill++) {
      await more();
      const victim = processes[kill % processes.length];
      if (!victim) throw new Error("there is no such process");
      (await victim.server).kill("SIGKILL");
      expect(await (await victim.server).ended).toEqual({ code: null, signal: "SIGKILL" });
      await more();
      // The next one is killed while this one starts, unless it is the same.
      victim.server = startProcess(victim.role, victim.port);
      await endLeases(place);
    }
    await Promise.all(processes.map(({ server }) => server));
    const heardBefore = watchers.map((one) => one.heard());
    await more();
    const { sent, bookings, perSecond } = await stop();
    process.stdout.write(
      `${sent} requests, ${Math.round(perSecond)} a second, ${bookings} bookings, ${triedAgain} tried again\n`,
    );

    expect(unexpected.slice(0, 5)).toEqual([]);
    expect(answered).toBe(sent);
    // Every stream is open and receives notifications. Those of killed processes were reopened.
    await call("/api/bookings", bookingInput("act-0", bookings, daysAhead(300)));
    await expect.poll(() => watchers.every((one, at) => one.heard() > (heardBefore[at] ?? 0))).toBe(true);
    expect(watchers.reduce((sum, one) => sum + one.opened(), 0)).toBeGreaterThan(watchers.length);
    for (const one of watchers) await one.leave();

    const { db } = place.database;
    const stored = await db.selectFrom("bookings").select(["id", "promoter_email"]).execute();
    const numbers = stored.filter(({ id }) => acknowledged.has(id)).map(({ promoter_email: email }) => email);
    expect([acknowledged.size, stored.length]).toEqual([bookings, bookings + 1]);
    expect(new Set(numbers).size).toBe(bookings);

    const unhandled = async () => {
      await endLeases(place);
      const events = await db.selectFrom("event_outbox").select("topic").execute();
      const unpaid = await db
        .selectFrom("bookings")
        .select("id")
        .where("status", "=", "initiated")
        .where("id", "in", [...paid])
        .execute();
      return [...events, ...unpaid];
    };
    expect(paid.size).toBe(Math.ceil(bookings / perPayment));
    await expect.poll(unhandled, { timeout: 300_000, interval: 200 }).toEqual([]);
    const { rows: emailedTwice } = await sql`
    select recipient, template from messages where recipient like 'promoter-%'
    group by recipient, template, ref_id having count(*) > 1`.execute(db);
    expect(emailedTwice).toEqual([]);
    const emailed = await db
      .selectFrom("messages")
      .select("recipient")
      .distinct()
      .where("recipient", "like", "promoter-%")
      .execute();
    expect(emailed.length).toBe(bookings + 1);
    expect(await chargedTwice(db)).toEqual([]);
    expect(await moneyOffences(place)).toEqual([]);
  },
);
