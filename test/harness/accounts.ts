/** A stage for this room's tests: the accounts on a real database, and the unmodified client that browsers use. */
import { randomBytes } from "node:crypto";
import cookie from "@fastify/cookie";
import { GoTrueClient, type Session } from "@supabase/auth-js";
import { OpenAPIHandler } from "@orpc/openapi/fastify";
import Fastify, { type FastifyPluginAsync } from "fastify";
import { guardCall, errorBodyOf } from "#app/edge.ts";
import { type MovableClock, movableClock } from "#platform/clock.ts";
import { readConfig } from "#platform/config.ts";
import { parseBody } from "#platform/http/body.ts";
import { problemOf } from "#platform/http/problems.ts";
import { contextOf } from "#platform/http/request.ts";
import { keysFrom } from "#platform/keys.ts";
import { makeLimits } from "#platform/limits.ts";
import { makeLog } from "#platform/log.ts";
import type { PlatformServices } from "#platform/services.ts";
import { freshDatabase } from "#test/database.ts";
import { authenticate } from "#users/sessions/authenticate.ts";
import { authPlugin } from "#users/gotrue/plugin.ts";
import { makeUser } from "#test/factories/users.ts";
import { usersRoutes } from "#users/routes.ts";

export type AccountsApp = Awaited<ReturnType<typeof accountsApp>>;
export const testPassword = "a quiet lamp backstage";

/**
 * Opens the stage; close it after the file's last test. `env` as in a real start; limits are off unless asked for. `beside` makes it
 * another process on that one's database, with its clock and keys.
 */
export async function accountsApp(
  env: Record<string, string> = {},
  beside?: { services: PlatformServices; clock: MovableClock },
) {
  const place = beside ? { database: beside.services.database, drop: async () => undefined } : await freshDatabase();
  const { database } = place;
  const clock = beside?.clock ?? movableClock();
  const config = readConfig({ RATE_LIMITS: "off", SEED: "none", LOG_LEVEL: "silent", DEMO: "0", ...env });
  const keys = beside?.services.keys ?? keysFrom(randomBytes(32));
  const limits = makeLimits({ database, keys, clock, on: config.rateLimits });
  const services: PlatformServices = {
    config,
    clock,
    log: makeLog("silent"),
    database,
    keys,
    limits,
    wake: () => undefined,
  };
  const app = Fastify({ trustProxy: true });
  await app.register(cookie);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parseBody(String(text)));
    } catch (error) {
      done(error as Error);
    }
  });
  await app.register(authPlugin(services), { prefix: "/auth/v1" });
  await app.register(roomApi(services), { prefix: "/api" });
  await app.ready();
  return {
    services,
    clock,
    send: (path: string, init: Init = {}) => send(app, path, init),
    client: (options: ClientOptions = {}) => makeClient((path, init) => send(app, path, init), options),
    user: (wish: Parameters<typeof makeUser>[1] = {}) =>
      database.transaction((tx) => makeUser(tx, { password: testPassword, ...wish })),
    /** Signs the person in and returns how they call the API. */
    as: async (person: { email: string }) => {
      const { auth } = makeClient((path, init) => send(app, path, init), {});
      const { access_token } = sessionOf(
        await auth.signInWithPassword({ email: person.email, password: testPassword }),
      );
      const call = async (method: string, path: string, body?: object) => {
        const headers = {
          authorization: `Bearer ${access_token}`,
          ...(body ? { "content-type": "application/json" } : {}),
        };
        const answer = await send(app, `/api${path}`, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return {
          status: answer.status,
          body: (await answer.json()) as Record<string, never> & { code?: string; items?: Record<string, unknown>[] },
        };
      };
      return { auth, call, token: access_token };
    },
    /** Listens on a free port of loopback, for whoever calls this stage as a service. */
    listen: () => app.listen({ host: "127.0.0.1", port: 0 }),
    /** The newest message to an address: its link's token and its code. */
    lastMessage: (to: string) => lastMessage(services, to),
    close: async () => {
      await app.close();
      await place.drop();
    },
  };
}

/** This room's endpoints behind the house's own edge. */
const roomApi =
  (services: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    const handler = new OpenAPIHandler(usersRoutes, {
      clientInterceptors: [
        (call) => guardCall(call as Parameters<typeof guardCall>[0]) as ReturnType<typeof call.next>,
      ],
      customErrorResponseBodyEncoder: errorBodyOf,
    });
    app.all("/*", async (request, reply) => {
      const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
      const context = contextOf(request, reply, services, await authenticate(services, bearer));
      await handler.handle(request, reply, { prefix: "/api", context });
      return reply;
    });
    app.setErrorHandler((error, _request, reply) => {
      const problem = problemOf(error);
      return reply.code(problem?.status ?? 500).send({ code: problem?.code ?? "internal", message: String(error) });
    });
  };

type Init = { method?: string; headers?: Record<string, string>; body?: string };
type App = {
  inject(request: object): Promise<{ statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer }>;
};

async function send(app: App, url: string, init: Init): Promise<Response> {
  const answer = await app.inject({
    method: init.method ?? "GET",
    url,
    headers: { host: "localhost:3000", ...init.headers },
    ...(init.body === undefined ? {} : { payload: init.body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value].flat()) headers.append(name, String(one));
  }
  const body = answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload);
  return new Response(body, { status: answer.statusCode, headers });
}

type ClientOptions = {
  cookieMode?: boolean;
  /** Sits between the client and the server, to lose answers or to count calls. */
  through?: (call: () => Promise<Response>) => Promise<Response>;
  ip?: string;
};

/** A browser: the unmodified client, a jar of cookies, and what was stored where scripts can read it. */
export function makeClient(ask: (path: string, init: Init) => Promise<Response>, options: ClientOptions = {}) {
  const storage = new Map<string, string>();
  const jar = new Map<string, string>();
  const events: string[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    const address = new URL(String(input));
    const headers: Record<string, string> = Object.fromEntries(new Headers(init?.headers));
    if (jar.size) headers["cookie"] = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    if (options.cookieMode) headers["x-token-mode"] = "cookie";
    if (options.ip) headers["x-forwarded-for"] = options.ip;
    const body = typeof init?.body === "string" ? { body: init.body } : {};
    const call = async () =>
      keep(jar, await ask(address.pathname + address.search, { method: init?.method ?? "GET", headers, ...body }));
    return options.through ? options.through(call) : call();
  };
  const auth = new GoTrueClient({
    url: "http://localhost:3000/auth/v1",
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    storageKey: `test-${crypto.randomUUID()}`,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
    fetch: fetcher,
    experimental: { recoveryCodes: true },
  });
  auth.onAuthStateChange((event) => void events.push(event));
  return { auth, jar, storage, events };
}

function keep(jar: Map<string, string>, response: Response): Response {
  for (const line of response.headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const at = pair.indexOf("=");
    if (attributes.includes("Max-Age=0")) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), decodeURIComponent(pair.slice(at + 1)));
  }
  return response;
}

async function lastMessage(services: PlatformServices, to: string) {
  const message = await services.database.db
    .selectFrom("messages")
    .select(["template", "subject", "text", "channel"])
    .where("recipient", "=", to)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .executeTakeFirst();
  if (!message) throw new Error(`nothing was sent to ${to}`);
  const token = /token_hash=([\w-]+)/.exec(message.text)?.[1] ?? "";
  const code = /(?<![\w-])\d{6}(?![\w-])/.exec(message.text)?.[0] ?? "";
  return { ...message, token, code };
}

/** The session of an answer, or the failure as an exception. */
export function sessionOf(answer: { data: { session: Session | null }; error: unknown }): Session {
  if (answer.error) throw answer.error;
  if (!answer.data.session) throw new Error("the answer holds no session");
  return answer.data.session;
}
