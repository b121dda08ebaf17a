/** Restricts addresses that users name to the public internet (SSRF). */

import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export class PrivateAddress extends Error {}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Returns true for an IP address of the public internet. A mapped IPv4 address counts as itself. */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast));
}

type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** Makes a `lookup` for sockets that rejects private addresses. The socket opens the checked address, so a second DNS answer changes nothing. */
export const publicLookup =
  (resolve: Resolve = systemLookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, "");
      const [first] = found;
      if (!first || found.some(({ address }) => !isPublicAddress(address)))
        return done(new PrivateAddress(`${host} has a private address`), "");
      if (options.all) return done(null, found);
      done(null, first.address, first.family);
    });
  };

export function requirePublicHost(host: string): void {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) && !isPublicAddress(bare)) throw new PrivateAddress(`${host} is a private address`);
}
