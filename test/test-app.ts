/** The whole application per test file: a real database and server, and a movable clock. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { eventHandlersFor, urgentTopics } from "#app/event-handlers.ts";
import { buildApp } from "#app/http/http.ts";
import { type OpenServices, openServices } from "#app/services.ts";
import { readConfig } from "#platform/config.ts";
import type { Database, Tx } from "#platform/db/index.ts";
import { startEventOutbox } from "#platform/event-outbox.ts";
import { type Log, makeLog } from "#platform/log.ts";
import type { AuthTiming } from "#platform/security/auth-timing.ts";
import { type MovableClock, movableClock } from "#platform/time/clock.ts";
import { processEvents } from "#reconciliation/index.ts";
import { temporaryFolder } from "../scripts/temporary-folder.mjs";
import { freshDatabase, type TestDatabase } from "./database.ts";
import { makeArtist } from "./factories/artists.ts";
import { makeBooking } from "./factories/bookings.ts";
import { makeUser } from "./factories/users.ts";
import { withSecondFactor } from "./harness/second-factor.ts";
import { quickAuthTiming } from "./quick-auth-timing.ts";

export type TestApp = Awaited<ReturnType<typeof testApp>>;
type TestAppOptions = {
  env?: Record<string, string>;
  now?: Date;
  pages?: boolean;
  engine?: "embedded" | "postgres";
  authTiming?: AuthTiming;
  /** Receives the app's log, which is otherwise off. */
  log?: Log;
  /** Makes this app a second process with the same database, keys and clock. */
  beside?: { database: Database; dataDir: string; clock: MovableClock };
};
type Init = { method?: string; headers?: Record<string, string>; body?: unknown };

export const testPassword = "a quiet lamp backstage";

/** Builds the application. Dispose of it with `await using`, or call `close` after a file's last test. */
export async function testApp(options: TestAppOptions = {}) {
  const place = options.beside ? sharedDatabase(options.beside.database) : await freshDatabase(options.engine);
  const dataDir = options.beside?.dataDir ?? mkdtempSync(path.join(temporaryFolder, "stagedoor-test-"));
  const clock = options.beside?.clock ?? movableClock(options.now);
  const drop = async () => {
    await place.drop();
    if (!options.beside) rmSync(dataDir, { recursive: true, force: true });
  };
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: "0",
    RATE_LIMITS: "off",
    SEED: "none",
    LOG_LEVEL: "silent",
    DEMO: "1",
    ...options.env,
  });
  const services = await openServices(config, {
    clock,
    database: place.database,
    log: options.log ?? makeLog("silent"),
    authTiming: options.authTiming ?? quickAuthTiming,
  });
  const server = await buildApp(services, { pages: options.pages ?? false }).catch(async (error: unknown) => {
    await services.close();
    await drop();
    throw error;
  });
  await server.ready();
  const failures: unknown[] = [];
  const outbox = startEventOutbox({
    database: place.database,
    handlers: watched(eventHandlersFor(services), failures),
    urgent: urgentTopics,
    log: services.log,
    clock,
    poll: false,
  });
  const close = async () => {
    await outbox.stop();
    await server.close();
    await services.close();
    await drop();
  };
  return {
    server,
    services,
    clock,
    dataDir,
    database: place.database,
    databaseUrl: place.url,
    request: (address: string, init?: Init) => request(server, address, init),
    /** Sends a request and returns status and body of its JSON response. */
    json: async <Body = JsonBody>(address: string, init?: Init) => jsonOf<Body>(await request(server, address, init)),
    make: factories(services),
    signIn: (who: { email: string; password?: string }) => signIn(server, services, who),
    /** Processes the provider's events and handles every published event. Throws if a handler failed. */
    settle: async () => {
      await processEvents(services);
      await outbox.drain();
      if (failures.length) throw new AggregateError(failures.splice(0), "an event could not be answered");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the database of another app, which closes it. */
const sharedDatabase = (database: Database): TestDatabase => ({
  database: { ...database, close: async () => undefined },
  url: undefined,
  drop: async () => undefined,
});

type EventHandlers = ReturnType<typeof eventHandlersFor>;

/** Wraps handlers to collect their errors, because a test must not hide a retry. */
function watched(handlers: EventHandlers, failures: unknown[]): EventHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([topic, react]) => [
      topic,
      async (tx: Tx, body: never, eventId: number) => {
        try {
          return await react(tx, body, eventId);
        } catch (error) {
          failures.push(error);
          throw error;
        }
      },
    ]),
  );
}

/** Sends a request to the server without a socket, and returns the response like a browser's. */
async function request(server: FastifyInstance, url: string, init: Init = {}): Promise<Response> {
  const sendsJson = init.body !== undefined && typeof init.body !== "string";
  const response = await server.inject({
    method: (init.method ?? (init.body === undefined ? "GET" : "POST")) as "GET",
    url,
    headers: { ...(init.body === undefined ? {} : { "content-type": "application/json" }), ...init.headers },
    ...(init.body === undefined ? {} : { payload: sendsJson ? JSON.stringify(init.body) : (init.body as string) }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  }
  const empty = [204, 304].includes(response.statusCode);
  return new Response(empty ? null : new Uint8Array(response.rawPayload), { status: response.statusCode, headers });
}

/** A JSON body of which a test reads some texts. */
export type JsonBody = Record<string, never> & { code?: string; items?: Record<string, unknown>[] };

export async function jsonOf<Body = JsonBody>(response: Response): Promise<{ status: number; body: Body }> {
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Body };
}

/** Signs in by password and returns the user's request headers. */
async function signIn(
  server: FastifyInstance,
  services: OpenServices,
  who: { email: string; password?: string },
): Promise<{ authorization: string }> {
  const response = await request(server, "/auth/v1/token?grant_type=password", {
    body: { email: who.email, password: who.password ?? testPassword },
  });
  const session = (await response.json()) as { access_token?: string };
  if (!session.access_token) throw new Error(`${who.email} could not sign in: ${JSON.stringify(session)}`);
  return { authorization: `Bearer ${await withSecondFactor(services, session.access_token)}` };
}

/** The factories for test data, with defaults for everything that a test does not set. */
function factories(services: OpenServices) {
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => services.database.transaction(work);
  const now = () => services.clock.now();
  return {
    user: (given: Partial<Parameters<typeof makeUser>[1]> = {}) =>
      inTx((tx) =>
        makeUser(tx, {
          email: `${randomBytes(6).toString("hex")}@example.test`,
          name: "Robin Vale",
          password: testPassword,
          role: "promoter",
          ...given,
        }),
      ),
    artist: (given: Partial<Parameters<typeof makeArtist>[1]> = {}) =>
      inTx((tx) => makeArtist(tx, { name: `Act ${randomBytes(4).toString("hex")}`, ...given })),
    booking: (given: Partial<Parameters<typeof makeBooking>[1]> = {}) =>
      inTx((tx) => makeBooking(tx, { now: now(), ...given })),
  };
}
