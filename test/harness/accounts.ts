import { GoTrueClient, type Session } from "@supabase/auth-js";
import { type MakeUser, makeUser } from "#test/factories/users.ts";
import { withSecondFactor } from "./second-factor.ts";
import { testApp, type TestApp, testPassword } from "#test/test-app.ts";

export { testPassword };
export type AccountsApp = Awaited<ReturnType<typeof accountsApp>>;

/**
 * Opens the application outside demo mode, with `env` as in a real start, without rate limits by default. Close it after
 * the file's last test. `beside` makes it another process with the same database, clock and keys.
 */
export async function accountsApp(
  env: Record<string, string> = {},
  beside?: Pick<TestApp, "database" | "dataDir" | "clock">,
  options: Pick<Parameters<typeof testApp>[0] & object, "authTiming"> = {},
) {
  // Requests contain their IP address in X-Forwarded-For.
  const app = await testApp({
    ...options,
    env: { DEMO: "0", TRUSTED_PROXIES: "loopback", ...env },
    ...(beside ? { beside } : {}),
  });
  const { server, services, database, clock, dataDir } = app;
  const request = (path: string, init: Init = {}) => send(server, path, init);
  return {
    services,
    database,
    clock,
    dataDir,
    send: request,
    client: (how: ClientOptions = {}) => makeClient(request, how),
    user: (given: MakeUser = {}) => database.transaction((tx) => makeUser(tx, { password: testPassword, ...given })),
    as: async (person: { email: string }) => {
      const { auth } = makeClient(request, {});
      const signedIn = sessionOf(await auth.signInWithPassword({ email: person.email, password: testPassword }));
      const access_token = await withSecondFactor(services, signedIn.access_token);
      const call = async (method: string, path: string, body?: object) => {
        const headers = {
          authorization: `Bearer ${access_token}`,
          ...(body ? { "content-type": "application/json" } : {}),
        };
        const response = await request(`/api${path}`, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return {
          status: response.status,
          body: (await response.json()) as Record<string, never> & { code?: string; items?: Record<string, unknown>[] },
        };
      };
      return { auth, call, token: access_token };
    },
    /** Listens on a free port of loopback, for tests that call this app as a service. */
    listen: () => server.listen({ host: "127.0.0.1", port: 0 }),
    /** Returns the token and the code of the newest message to an address. */
    lastMessage: (to: string) => lastMessage(app, to),
    close: app.close,
  };
}

type Init = { method?: string; headers?: Record<string, string>; body?: string };

async function send(server: TestApp["server"], url: string, init: Init): Promise<Response> {
  const response = await server.inject({
    method: (init.method ?? "GET") as "GET",
    url,
    headers: { host: "localhost:3000", ...init.headers },
    ...(init.body === undefined ? {} : { payload: init.body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value].flat()) headers.append(name, String(one));
  }
  const body = response.statusCode === 204 ? null : new Uint8Array(response.rawPayload);
  return new Response(body, { status: response.statusCode, headers });
}

type ClientOptions = {
  cookieMode?: boolean;
  /** Intercepts calls between client and server, to lose responses or count calls. */
  through?: (call: () => Promise<Response>) => Promise<Response>;
  ip?: string;
};

/** A browser: the unmodified client, a cookie jar, and the storage that scripts can read. */
export function makeClient(request: (path: string, init: Init) => Promise<Response>, options: ClientOptions = {}) {
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
      keep(jar, await request(address.pathname + address.search, { method: init?.method ?? "GET", headers, ...body }));
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

async function lastMessage({ database }: TestApp, to: string) {
  const message = await database.db
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

/** Returns the session of a response. Throws its error. */
export function sessionOf(response: { data: { session: Session | null }; error: unknown }): Session {
  if (response.error) throw response.error;
  if (!response.data.session) throw new Error("the answer holds no session");
  return response.data.session;
}
