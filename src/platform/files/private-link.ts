import { timingSafeEqual } from "node:crypto";
import type { Keys } from "../security/keys.ts";

const privateLinkMinutes = 10;
const signatureBytes = 24;

export type PrivateFile = Readonly<{ purpose: string; name: string }>;

const textOf = ({ name }: PrivateFile, until: number) => `${name} ${until}`;

export function privateLinkQuery(keys: Keys, file: PrivateFile, now: Date): string {
  const until = Math.floor(now.getTime() / 1_000) + privateLinkMinutes * 60;
  const key = keys.hmac(file.purpose, textOf(file, until)).subarray(0, signatureBytes).toString("base64url");
  return `until=${until}&key=${key}`;
}

/** Returns true if the values of a link's query open the file now. Links of a replaced root key are valid until they expire. */
export function isPrivateLink(keys: Keys, file: PrivateFile, link: { until: string; key: string }, now: Date): boolean {
  const until = /^\d{9,11}$/.test(link.until) ? Number(link.until) : 0;
  if (until * 1_000 <= now.getTime() || !/^[\w-]{32}$/.test(link.key)) return false;
  const given = Buffer.from(link.key, "base64url");
  return keys
    .hmacs(file.purpose, textOf(file, until))
    .some((one) => timingSafeEqual(one.subarray(0, signatureBytes), given));
}
