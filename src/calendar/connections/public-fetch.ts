/** The `fetch` of tsdav: public addresses only, https, 5 s for each call, 5 redirects, 5 MB. */

import { isAllowedHost, openPublic, type PublicRequest } from "#platform/security/public-request.ts";
import { CalendarUnreadable } from "../import/content-lines.ts";
import { readText, reasonOf } from "../import/fetch-calendar.ts";
import { ConnectionFailure } from "./failure.ts";
import { connectionLimits } from "./rules.ts";

const maxRedirects = 5;
const bodiless = new Set([204, 205, 304]);

type PublicFetch = Readonly<{
  fetch: typeof globalThis.fetch;
  /** Returns why the last call failed, because a library may have replaced the error. */
  lastFailure(): ConnectionFailure | undefined;
  wasUnauthorized(): boolean;
  serverError(): number | undefined;
}>;

/** Throws ConnectionFailure for an address that must not get a password. Allows https, and what `allowHosts` names. */
export function requireSecure(url: URL, allowHosts: readonly string[]): void {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isAllowedHost(url, allowHosts)))
    throw new ConnectionFailure(
      "server_url",
      "The address must begin with https://, because a password is sent to it.",
    );
}

const withoutPassword = (headers: RequestInit["headers"]) =>
  Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== "authorization"));

/** An unreachable host is called only once in a sync. */
export function makePublicFetch(options: Pick<PublicRequest, "allowHosts" | "resolve">): PublicFetch {
  const unreachable = new Map<string, ConnectionFailure>();
  let failure: ConnectionFailure | undefined;
  let unauthorized = false;
  let serverError: number | undefined;

  async function send(url: URL, init: RequestInit, signal: AbortSignal) {
    requireSecure(url, options.allowHosts);
    const known = unreachable.get(url.host);
    if (known) throw known;
    try {
      const response = await openPublic(url, {
        method: init.method ?? "GET",
        headers: { ...(init.headers as Record<string, string>), "user-agent": "Stagedoor calendar connection" },
        ...(typeof init.body === "string" ? { body: init.body } : {}),
        ...options,
        signal,
      });
      return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response, signal) };
    } catch (error) {
      const reason =
        error instanceof CalendarUnreadable ? error.message : reasonOf(error, signal, connectionLimits.callMs);
      const failed = new ConnectionFailure("server_url", reason, { cause: error });
      unreachable.set(url.host, failed);
      throw failed;
    }
  }

  async function follow(first: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(connectionLimits.callMs);
    let url = new URL(first);
    let given = init;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const { status, headers, text } = await send(url, given, signal);
      if (status >= 500) serverError = status;
      if (status === 401) unauthorized = true;
      const to = status >= 300 && status < 400 && init.redirect !== "manual" ? headers.location : undefined;
      if (to === undefined)
        return new Response(bodiless.has(status) ? null : text, {
          status,
          headers: Object.entries(headers).flatMap(([name, value]) =>
            typeof value === "string" ? [[name, value] as [string, string]] : [],
          ),
        });
      const next = URL.parse(to, url);
      if (!next) break;
      // As in browsers, a redirect sends the password to no other server.
      if (next.origin !== url.origin) given = { ...init, headers: withoutPassword(init.headers) };
      url = next;
    }
    throw new ConnectionFailure("server_url", "The address redirects too often.");
  }

  return {
    fetch: async (address, init = {}) =>
      follow(address instanceof Request ? address.url : String(address), init).catch((error: unknown) => {
        if (error instanceof ConnectionFailure) failure = error;
        throw error;
      }),
    lastFailure: () => failure,
    wasUnauthorized: () => unauthorized,
    serverError: () => serverError,
  };
}
