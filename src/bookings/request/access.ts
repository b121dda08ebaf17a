/** Who may see and pay a booking without an account: whoever holds its key in a cookie, or a one-use link from a mail. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import type { Keys } from "#platform/keys.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type Booking, insertPayLink, takePayLink } from "../store.ts";

/** HttpOnly, SameSite=Lax; holds the keys of the browser's most recent bookings. */
export const bookingCookie = "bookings";
const mostKeys = 12;
const keepSeconds = 400 * 86_400;
const linkDays = 14;

/** The key of a booking: known to its browser only. It can be made again, so a repeated form gets the same one. */
export const bookingKey = (keys: Keys, bookingId: string): string =>
  keys.hmac("booking key", bookingId.toLowerCase()).subarray(0, 18).toString("base64url");

/** What is stored of a key or a link. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

type Reply = Pick<Context, "reply">["reply"];

/** Gives the browser the key of a booking, beside those it has. */
export function grantKey(reply: Reply, cookies: Readonly<Record<string, string | undefined>>, key: string): void {
  const keys = [key, ...keysIn(cookies).filter((one) => one !== key)].slice(0, mostKeys);
  reply.setCookie(bookingCookie, keys.join("."), { maxAgeSeconds: keepSeconds });
}

const keysIn = (cookies: Readonly<Record<string, string | undefined>>): string[] =>
  (cookies[bookingCookie] ?? "")
    .split(".")
    .filter((key) => /^[\w-]{24}$/.test(key))
    .slice(0, mostKeys);

/** The browser holds the key of this booking. */
export function holdsKey(
  cookies: Readonly<Record<string, string | undefined>>,
  booking: Pick<Booking, "access_key_hash">,
): boolean {
  const wanted = booking.access_key_hash;
  return wanted !== null && keysIn(cookies).some((key) => timingSafeEqual(hashOf(key), Buffer.from(wanted)));
}

/** Makes a link that lets whoever gets the mail pay this booking once. Only its hash is stored. */
export async function makePayLink(
  tx: Tx,
  link: { bookingId: string; kind: "deposit" | "balance"; origin: string; now: Date },
): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  const expiresAt = new Date(link.now.getTime() + linkDays * 86_400_000);
  await insertPayLink(tx, { hash: hashOf(secret), bookingId: link.bookingId, expiresAt, now: link.now });
  return `${link.origin}${paths.pay(link.bookingId, link.kind)}?key=${secret}`;
}

/** Uses a pay link up; false when it opens nothing. */
export const usePayLink = (tx: Tx, link: { secret: string; bookingId: string; now: Date }): Promise<boolean> =>
  takePayLink(tx, { hash: hashOf(link.secret), bookingId: link.bookingId, now: link.now });
