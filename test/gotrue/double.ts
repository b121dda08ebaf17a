/**
 * A hosted GoTrue for tests: its documented calls, responses and errors, in memory. It shares no code with the accounts
 * module, so it tests the gateway independently.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { makeFactors } from "./factors.ts";
import { makeKeyring } from "./keyring.ts";
import { makePeople } from "./people.ts";
import { GoTrueError, type Call, type Endpoint } from "./protocol.ts";
import { makeSessions } from "./sessions.ts";

export type Double = Awaited<ReturnType<typeof gotrueDouble>>;
export type DoubleOptions = {
  algorithm?: "RS256" | "ES256";
  autoconfirm?: boolean;
  now?: () => Date;
};

/** Starts the service on a free port of loopback below /auth/v1. */
export async function gotrueDouble(options: DoubleOptions = {}) {
  const now = options.now ?? (() => new Date());
  const reached: string[] = [];
  const place = { origin: "", now, autoconfirm: options.autoconfirm ?? false };
  let limited = false;
  const keyring = await makeKeyring(options.algorithm ?? "RS256");
  const sessions = makeSessions({ place, keyring });
  const people = makePeople({ place, sessions });
  const factors = makeFactors({ place, sessions });
  const endpoints: Record<string, Endpoint> = {
    "GET /health": () => ({ name: "GoTrue", version: "v2.180.0", description: "GoTrue is a user registration API" }),
    "GET /settings": () => ({
      external: { email: true, phone: true, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: place.autoconfirm,
      phone_autoconfirm: false,
      sms_provider: "twilio",
      saml_enabled: false,
    }),
    "GET /.well-known/jwks.json": () => ({ keys: keyring.published() }),
    ...sessions.endpoints,
    ...people.endpoints,
    ...factors.endpoints,
  };

  const server = createServer((request, reply) => void handleRequest(request, reply));
  async function handleRequest(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? "/", place.origin);
    reached.push(`${request.method} ${request.url}`);
    const version = String(request.headers["x-supabase-api-version"] ?? "");
    try {
      const path = address.pathname.replace(/^\/auth\/v1/, "");
      const [, factorId, act = ""] = /^\/factors\/([\w-]{36})(\/\w+)?$/.exec(path) ?? [];
      const endpoint = endpoints[`${request.method} ${factorId ? `/factors/{id}${act}` : path}`];
      if (path.startsWith("/admin")) return send(reply, 200, { users: people.all() }, version);
      if (limited) throw new GoTrueError(429, "over_request_rate_limit", "Request rate limit reached");
      if (!endpoint || path === address.pathname) throw new GoTrueError(404, "not_found", "404 page not found");
      const call: Call = {
        body: await read(request),
        query: Object.fromEntries(address.searchParams),
        bearer: /^[Bb]earer (\S+)$/.exec(request.headers.authorization ?? "")?.[1],
        factorId: factorId ?? "",
      };
      const result = await endpoint(call);
      if (result && "location" in result) reply.writeHead(303, { location: String(result["location"]) }).end();
      else send(reply, result ? 200 : 204, result, version);
    } catch (error) {
      if (!(error instanceof GoTrueError)) throw error;
      send(reply, error.status, error.asBody(version), version);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the double has no port");
  place.origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${place.origin}/auth/v1`,
    /** Every received call: method and raw URL. */
    reached,
    keyring,
    lastMail: people.lastMail,
    confirmed: people.confirmed,
    livingSessions: sessions.count,
    setLimited: (on: boolean) => void (limited = on),
    setAutoconfirm: (on: boolean) => void (place.autoconfirm = on),
    /** Sends a request without the gateway, like a browser. */
    fetch: (path: string, init: RequestInit) => fetch(`${place.origin}${path}`, { ...init, redirect: "manual" }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(reply: ServerResponse, status: number, body: object | undefined, version: string): void {
  const headers = { "content-type": "application/json", ...(version ? { "x-supabase-api-version": version } : {}) };
  if (body) reply.writeHead(status, headers).end(JSON.stringify(body));
  else reply.writeHead(status, version ? { "x-supabase-api-version": version } : {}).end();
}

/** Returns the body with lower-case names, because the service's decoder (Go's encoding/json) reads `Password` as `password`. */
async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += String(part);
  if (text === "") return {};
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  } catch {
    throw new GoTrueError(400, "bad_json", "Could not parse request body as JSON");
  }
}
