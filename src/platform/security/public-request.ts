import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { publicLookup, requirePublicHost } from "./public-address.ts";

/** `allowHosts`: host:port pairs that may be private, in demo mode. `resolve` replaces DNS in tests. */
export type PublicRequest = Readonly<{
  method?: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  allowHosts: readonly string[];
  resolve?: Parameters<typeof publicLookup>[0];
  signal: AbortSignal;
}>;

export const isAllowedHost = (url: URL, allowHosts: readonly string[]): boolean =>
  allowHosts.includes(`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`);

/** Sends one request to an address that a user named, without redirects. Rejects with PrivateAddress if it is not public. */
export function openPublic(url: URL, options: PublicRequest): Promise<IncomingMessage> {
  const { method = "GET", headers, body, allowHosts, resolve, signal } = options;
  const isAllowed = isAllowedHost(url, allowHosts);
  if (!isAllowed) requirePublicHost(url.hostname);
  const { promise, resolve: respond, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(
    url,
    { method, agent: false, signal, headers, ...(isAllowed ? {} : { lookup: publicLookup(resolve) }) },
    respond,
  );
  request.on("error", reject);
  request.end(body);
  return promise;
}
