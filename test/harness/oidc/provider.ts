/** An OpenID Connect provider on loopback, and a browser that uses it. */

import { createServer, type Server } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Context } from "oidc-provider";
import { minuteMs } from "#platform/time/durations.rules.ts";

/** The user signed in at the provider, with the claims of the userinfo endpoint and of the ID token. */
export type PersonThere = {
  subject: string;
  claims: Record<string, unknown>;
  idToken?: Record<string, unknown>;
};

export const clientSecret = "the secret of stagedoor at the provider";

type ProviderOptions = { secret?: string; secretInBody?: boolean };

/** Opens a provider at the port with a new key. Opening it again rotates the keys. */
export async function openProvider(
  port: number,
  redirectUri: string,
  { secret = clientSecret, secretInBody = false }: ProviderOptions = {},
) {
  const authMethod = secretInBody ? "client_secret_post" : "client_secret_basic";
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: "sig", alg: "RS256" };
  let person: PersonThere | undefined;
  let minutesBehind = 0;
  // Suppresses the warning that it stores everything in memory, which is intended here.
  const { warn } = console;
  console.warn = () => undefined;
  const provider = new Provider(issuer, {
    clientAuthMethods: [authMethod],
    clients: [
      {
        client_id: "stagedoor",
        client_secret: secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: authMethod,
      },
    ],
    conformIdTokenClaims: false,
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    jwks: { keys: [key] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ["the provider's own"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: (use: string) => ({ ...(use === "id_token" ? person?.idToken : person?.claims), sub: accountId }),
    }),
    loadExistingGrant: async ({ oidc: { client, session } }: Context) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  console.warn = warn;
  const handleRequest = provider.callback();
  const server: Server = createServer((request, response) => {
    // Changes this process's clock while the provider responds, when no other code reads it.
    const { now } = Date;
    if (minutesBehind) Date.now = () => now() - minutesBehind * minuteMs;
    response.once("close", () => (Date.now = now));
    if (!request.url?.startsWith("/interaction/")) return handleRequest(request, response);
    const result = person ? { login: { accountId: person.subject } } : { error: "access_denied" };
    void provider.interactionFinished(request, response, result);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    issuer,
    /** Sets the user who signs in. Undefined cancels. */
    signsIn: (next: PersonThere | undefined) => void (person = next),
    clockIsBehind: (minutes: number) => void (minutesBehind = minutes),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Init = { method?: string; headers?: Record<string, string>; body?: string };

/** Returns a browser with cookies per host and port. `change` may alter a URL before it is opened. */
export function makeBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (address: URL) => {
    const jar = jars.get(address.host) ?? new Map<string, string>();
    jars.set(address.host, jar);
    return jar;
  };
  const send = async (address: URL, init: Init = {}) => {
    const jar = jarOf(address);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { redirect: "manual", ...init, headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  /** Follows redirects to a page of our site. Returns its path and query, with every visited URL. */
  const follow = async (start: string, change: (address: URL) => void = () => undefined) => {
    const way: URL[] = [];
    let address = new URL(start);
    for (let step = 0; step < 12; step += 1) {
      change(address);
      way.push(new URL(address));
      const response = await send(address);
      const location = response.headers.get("location");
      if (!location) throw new Error(`${address.href} answered ${response.status}: ${await response.text()}`);
      address = new URL(location, address);
      if (address.pathname === "/auth" && address.host === new URL(start).host)
        return { end: `${address.pathname}${address.search}`, way };
    }
    throw new Error("the redirects do not end");
  };
  return { jarOf: (origin: string) => jarOf(new URL(origin)), send, follow };
}
