import { createRemoteJWKSet, customFetch } from "jose";
import { z } from "zod";
import { ConfigError } from "#platform/config.ts";
import { limitedFetch } from "#platform/http/outgoing/limited-fetch.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../../auth-errors.ts";
import { lifetimes } from "../../rules.ts";

/** The version of the protocol's error shape, with the error code in `code`. */
const apiVersion = "2024-01-01";
const timeoutMs = 10_000;
const fetchJson = limitedFetch(1024 * 1024);
/** An unknown key makes the keys be fetched again, but not more often than this. */
const keyPauseMs = 5_000;
const settingsSeconds = 600;

type Call = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Starts with a slash and is never taken from a request: only the service can be called. */
  path: string;
  query?: Readonly<Record<string, string>>;
  bearer?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};
export type ServiceResponse = {
  requestedAt: Date;
  status: number;
  ok: boolean;
  headers: Headers;
  text: string;
  body: unknown;
};

type CachedResponses = {
  keys: ReturnType<typeof createRemoteJWKSet>;
  settings?: { readAt: number; autoconfirms: boolean };
};
const cache = new WeakMap<PlatformServices["database"], CachedResponses>();

export function requireHostedConfig(services: PlatformServices) {
  const { gotrue } = services.config;
  if (!gotrue) throw new Error("GOTRUE_URL is not set");
  return gotrue;
}

function cachedResponses(services: PlatformServices): CachedResponses {
  const known = cache.get(services.database);
  if (known) return known;
  const { url, apiKey } = requireHostedConfig(services);
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), {
    cacheMaxAge: lifetimes.keyCache * 1000,
    cooldownDuration: keyPauseMs,
    [customFetch]: fetchJson,
    ...(apiKey ? { headers: { apikey: apiKey } } : {}),
  });
  const fresh: CachedResponses = { keys };
  cache.set(services.database, fresh);
  return fresh;
}

export const serviceKeys = (services: PlatformServices) => cachedResponses(services).keys;

/** Makes one call. Throws `hosted_unreachable` for timeouts, redirects and responses that are too long or not JSON. Error responses are returned. */
export async function callService(services: PlatformServices, call: Call): Promise<ServiceResponse> {
  const { url, apiKey } = requireHostedConfig(services);
  const query = new URLSearchParams(call.query).toString();
  const requestedAt = services.realClock.now();
  const response = await fetchJson(`${url}${call.path}${query ? `?${query}` : ""}`, {
    method: call.method,
    headers: {
      "x-supabase-api-version": apiVersion,
      ...call.headers,
      ...(apiKey ? { apikey: apiKey } : {}),
      ...(call.bearer ? { authorization: `Bearer ${call.bearer}` } : {}),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  }).catch((cause: unknown) => {
    throw Object.assign(new AuthError("hosted_unreachable"), { cause });
  });
  const text = await response.text().catch(() => {
    throw new AuthError("hosted_unreachable");
  });
  if (response.status >= 300 && response.status < 400) throw new AuthError("hosted_unreachable");
  return {
    requestedAt,
    status: response.status,
    ok: response.ok,
    headers: response.headers,
    text,
    body: text ? parsed(text) : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError("hosted_unreachable");
  }
}

const errorShape = z.object({ code: z.unknown(), error_code: z.unknown() }).partial().catch({});

/** Returns the code of an error response, in either version of the protocol's error shape, or "" without one. */
export function errorCodeOf(response: ServiceResponse): string {
  const { code, error_code } = errorShape.parse(response.body);
  return typeof code === "string" ? code : typeof error_code === "string" ? error_code : "";
}

/** Returns true if the service confirms addresses without an email, which then prove nothing. Cached for ten minutes. */
export async function autoconfirms(services: PlatformServices): Promise<boolean> {
  const own = cachedResponses(services);
  const now = services.realClock.now().getTime();
  if (own.settings && Math.abs(now - own.settings.readAt) < settingsSeconds * 1000) return own.settings.autoconfirms;
  const response = await callService(services, { method: "GET", path: "/settings" });
  const settings = z.object({ mailer_autoconfirm: z.boolean() }).safeParse(response.body);
  if (!response.ok || !settings.success) throw new AuthError("hosted_unreachable");
  own.settings = { readAt: now, autoconfirms: settings.data.mailer_autoconfirm };
  return own.settings.autoconfirms;
}

/** Checks the service at start. Throws if it publishes no key (HS256 is not accepted). An unreachable one is only logged. */
export async function checkService(services: PlatformServices): Promise<void> {
  const { url } = requireHostedConfig(services);
  try {
    const response = await callService(services, { method: "GET", path: "/.well-known/jwks.json" });
    const keys = z.object({ keys: z.array(z.object({ kty: z.string() })) }).safeParse(response.body);
    if (response.ok && keys.success && !keys.data.keys.some((key) => key.kty !== "oct"))
      throw new ConfigError(
        `GOTRUE_URL: the service at ${url} publishes no signing key. Switch it from its shared secret (HS256) to ES256 or RS256.`,
      );
    if (await autoconfirms(services))
      services.log.warn(
        "GOTRUE_URL: the service confirms addresses without an email, so no address counts as verified here",
      );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    services.log.warn({ url }, "GOTRUE_URL: the sign-in service does not answer yet");
  }
}
