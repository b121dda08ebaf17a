import ipaddr from "ipaddr.js";
import { addressBlock } from "#platform/security/limits.ts";

/** Uses the address alone, compared with the caller's (`now`). */
export function describeNetwork(ip: string | null, now: string): string {
  if (!ip) return "Place not known";
  const [there, here] = [rangeOf(ip), rangeOf(now)];
  if (there === "loopback") return here === "loopback" ? "This computer" : "The computer that runs this site";
  const same = addressBlock(ip) === addressBlock(now) ? ", same network as now" : "";
  return there === "private" ? `Local network, ${ip}${same}` : `From ${ip}${same}`;
}

const localRanges = new Set(["private", "linkLocal", "uniqueLocal"]);

function rangeOf(ip: string): "loopback" | "private" | "public" {
  if (!ipaddr.isValid(ip)) return "public";
  const range = ipaddr.process(ip).range();
  if (range === "loopback") return "loopback";
  return localRanges.has(range) ? "private" : "public";
}
