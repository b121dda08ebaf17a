import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";
import { isLoopback } from "../config.ts";

export const bearerOf = (headers: Pick<IncomingHttpHeaders, "authorization">): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];

/** Returns the root of links: the configured address, or on loopback the requested host, because its cookies differ. */
export function siteOf(host: string | null | undefined, publicUrl: string): string {
  const name = hostNameOf(host ?? undefined);
  return name !== undefined && isLoopback(name) && isLoopback(new URL(publicUrl).hostname)
    ? `http://${host}`
    : publicUrl;
}

/** Headers that proxies, tunnels and CDNs add. A direct request has none of them. */
const proxyHeader =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-client-ip|x-original-(host|url|for|forwarded-for)|x-proxyuser-ip|x-request-start|x-cluster-client-ip|x-envoy-.+|true-client-ip|cf-.+|fastly-.+|fly-.+|x-amzn?-.+|x-azure-.+|x-vercel-.+|ngrok-.+|cdn-loop)$/;

const proxyHeaderOf = (headers: IncomingHttpHeaders): string | undefined =>
  Object.keys(headers).find((name) => proxyHeader.test(name));

function hostNameOf(host: string | undefined): string | undefined {
  if (!host || !URL.canParse(`http://${host}`)) return undefined;
  const url = new URL(`http://${host}`);
  return url.pathname === "/" && url.username === "" && url.search === "" && url.hash === "" ? url.hostname : undefined;
}

/** Returns true for a request that named this machine itself and passed no proxy. */
export function isLocalRequest(headers: IncomingHttpHeaders): boolean {
  const host = hostNameOf(headers.host);
  return host !== undefined && isLoopback(host) && proxyHeaderOf(headers) === undefined;
}

const nearbyRanges = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

/** Returns true if a request came through a proxy of our network that TRUSTED_PROXIES does not list. From elsewhere any client can send such a header. */
export function passedUnlistedProxy(
  headers: IncomingHttpHeaders,
  peer: string | undefined,
  trustedProxies: readonly string[],
): boolean {
  if (trustedProxies.length > 0 || proxyHeaderOf(headers) === undefined) return false;
  return peer !== undefined && ipaddr.isValid(peer) && nearbyRanges.has(ipaddr.process(peer).range());
}
