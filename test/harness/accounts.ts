import { GoTrueClient, type Session } from "@supabase/auth-js";
import { afterAll, beforeAll } from "vitest";
import { type MakeUser, makeUser } from "#test/factories/users.ts";
import { type JsonBody, jsonOf, testApp, type TestApp, testPassword } from "#test/test-app.ts";
import { authenticate, usersJobs } from "#users/index.ts";
import { codeAt, withSecondFactor } from "./second-factor.ts";

export { testPassword };
export type AccountsApp = Awaited<ReturnType<typeof accountsApp>>;

type Init = Parameters<TestApp["request"]>[1] & { token?: string };

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
  const { services, database, clock } = app;
  const { db } = database;
  const send = (path: string, { token, headers = {}, ...init }: Init = {}): Promise<Response> => {
    const authorized: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return app.request(path, { ...init, headers: { host: "localhost:3000", ...authorized, ...headers } });
  };
  const json = async <Body = JsonBody>(path: string, init?: Init) => jsonOf<Body>(await send(path, init));
  const client = (how: ClientOptions = {}) => makeClient(send, how);
  const user = (given: MakeUser = {}) =>
    database.transaction((tx) => makeUser(tx, { password: testPassword, ...given }));
  const messagesTo = (address: string) =>
    db
      .selectFrom("messages")
      .select(["template", "subject", "text", "channel"])
      .where("recipient", "=", address)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute();
  /** Returns the newest message to an address, with its token and code. */
  const lastMessage = async (to: string) => {
    const [message] = await messagesTo(to);
    if (!message) throw new Error(`nothing was sent to ${to}`);
    const token = /token_hash=([\w-]+)/.exec(message.text)?.[1] ?? "";
    const code = /(?<![\w-])\d{6}(?![\w-])/.exec(message.text)?.[0] ?? "";
    return { ...message, token, code };
  };
  return {
    ...app,
    db,
    send,
    json,
    client,
    user,
    messagesTo,
    lastMessage,
    authenticate: (token: string | undefined) => authenticate(services, token),
    /** Returns a new user with a browser where the user is signed in by password. */
    signedIn: async (given: MakeUser = {}, how: ClientOptions = {}) => {
      const [person, browser] = [await user(given), client(how)];
      const session = await browser.signIn(person);
      return { user: person, ...browser, session, token: session.access_token };
    },
    /** Signs in through a recovery link, in a new browser. */
    recover: async (email: string) => {
      const browser = client();
      await browser.auth.resetPasswordForEmail(email);
      const { token } = await lastMessage(email);
      sessionOf(await browser.auth.verifyOtp({ token_hash: token, type: "recovery" }));
      return browser;
    },
    /** Adds an authenticator app to the account of a signed-in browser, whose session is then at the second level. */
    addFactor: async ({ auth }: Pick<Browser, "auth">, friendlyName = "") => {
      const enrolled = await auth.mfa.enroll({ factorType: "totp", friendlyName });
      if (enrolled.error) throw enrolled.error;
      const { id: factorId, totp } = enrolled.data;
      const code = () => codeAt(totp.secret, clock.now());
      const { data, error } = await auth.mfa.challengeAndVerify({ factorId, code: code() });
      if (error) throw error;
      return { factorId, totp, code, token: data.access_token };
    },
    /** Calls the API in a new session of the user, which has the second level for an admin. */
    as: async (person: { email: string }) => {
      const browser = client();
      const token = await withSecondFactor(services, (await browser.signIn(person)).access_token);
      const call = (method: string, path: string, body?: object) =>
        json(`/api${path}`, { method, token, ...(body ? { body } : {}) });
      return { auth: browser.auth, call, token };
    },
    /** Listens on a free port of loopback, for tests that call this app as a service. */
    listen: () => app.server.listen({ host: "127.0.0.1", port: 0 }),
    deleteExpired: () => usersJobs.find(({ name }) => name === "forget-ended-sessions")?.run(services),
  };
}

/** Opens the application before a file's tests, and closes it after them. */
export function setUpAccounts(...given: Parameters<typeof accountsApp>): AccountsApp {
  const app = {} as AccountsApp;
  beforeAll(async () => void Object.assign(app, await accountsApp(...given)));
  afterAll(() => app.close());
  return app;
}

type Browser = ReturnType<typeof makeClient>;
type ClientOptions = {
  cookieMode?: boolean;
  /** Intercepts calls between client and server, to lose responses or count calls. */
  through?: (call: () => Promise<Response>) => Promise<Response>;
  ip?: string;
};

/** A browser: the unmodified client, a cookie jar, and the storage that scripts can read. */
export function makeClient(
  request: (
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ) => Promise<Response>,
  options: ClientOptions = {},
) {
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
  const byPassword = (email: string, password: string) => auth.signInWithPassword({ email, password });
  return {
    auth,
    jar,
    storage,
    events,
    signIn: async ({ email }: { email: string }, password = testPassword) =>
      sessionOf(await byPassword(email, password)),
    /** Tries to sign in, and returns the error. */
    signInError: async (email: string, password = testPassword) => (await byPassword(email, password)).error,
  };
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

/** Returns the session of a response. Throws its error. */
export function sessionOf(response: { data: { session: Session | null }; error: unknown }): Session {
  if (response.error) throw response.error;
  if (!response.data.session) throw new Error("the answer holds no session");
  return response.data.session;
}
