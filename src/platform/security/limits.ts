/** Fixed-window limits. The database counts them, because all processes share them. */

import ipaddr from "ipaddr.js";
import { type Database, firstRowOf } from "../db/index.ts";
import { countHit, deleteLimit, releaseHit } from "../db/platform.store.ts";
import { Problem } from "../errors.ts";
import type { Clock } from "../time/clock.ts";
import type { Keys } from "./keys.ts";

export type Limits = {
  /** Counts one hit and returns the hits in the window of `seconds`. Throws `too_many` above `max`. */
  hit(key: string, max: number, seconds: number, message?: string): Promise<number>;
  clear(key: string): Promise<void>;
  release(key: string): Promise<void>;
  count(key: string): Promise<number>;
};

/** Parallel hits are stored in another order than they read the clock, and clocks of several servers differ a little. */
const clockSkewMs = 60_000;

/** Makes the limits of an installation. `on` = false counts nothing (RATE_LIMITS=off). */
export function makeLimits(parts: { database: Database; keys: Keys; clock: Clock; on: boolean }): Limits {
  const { database, keys, clock } = parts;
  const stored = (key: string) => keys.hmac("limit", key).toString("base64url");
  if (!parts.on)
    return { hit: async () => 0, clear: async () => undefined, release: async () => undefined, count: async () => 0 };
  return {
    hit: async (key, max, seconds, message) => {
      const now = clock.now();
      const end = new Date(now.getTime() + seconds * 1000);
      // A window that ends much later than one that begins now was counted by a clock that ran ahead: it is over as well.
      const latest = new Date(end.getTime() + clockSkewMs);
      const row = await countHit(database.db, stored(key), { now, end, latest });
      if (!row || row.hits <= max) return row?.hits ?? 0;
      const wait = Math.max(1, Math.ceil((row.reset_at.getTime() - now.getTime()) / 1000));
      throw new Problem(
        "too_many",
        message ?? `Too many attempts. Please wait ${describeSeconds(wait)} and try again.`,
        { retryAfterSeconds: wait },
      );
    },
    clear: async (key) => {
      await deleteLimit(database.db, stored(key));
    },
    release: async (key) => {
      await releaseHit(database.db, stored(key));
    },
    count: async (key) => {
      const row = await firstRowOf<{ hits: number }>(database.db)`
        select hits from rate_limits where key = ${stored(key)} and reset_at > ${clock.now()}`;
      return row?.hits ?? 0;
    },
  };
}

const describeSeconds = (seconds: number) => {
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
};

/** Returns the block of addresses that counts as one caller: an IPv4 address alone, an IPv6 /64. Other text is returned unchanged. */
export function addressBlock(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return ipv6Network(address, 64);
}

const ipv6Network = ({ parts }: ipaddr.IPv6, bits: 48 | 64): string =>
  `${parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(":")}::/${bits}`;

/** Returns the network of an address, for logs: an IPv4 /24, an IPv6 /48. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return `${address.octets.slice(0, 3).join(".")}.0/24`;
  return ipv6Network(address, 48);
}
