/** The cookies with a browser's booking keys and receipts, and the caller of an HTTP request. Only this file of the module reads or sets cookies. */

import { isFullAdmin } from "#platform/http/access.ts";
import type { Context } from "#platform/http/context.ts";
import type { Keys } from "#platform/security/keys.ts";
import { hashOf } from "../links/access.ts";
import type { Caller } from "../policy.ts";

/** HttpOnly, SameSite=Lax. Contains the keys of the browser's 12 most recent bookings. */
const bookingCookie = { name: "bookings", maxKeys: 12, maxAgeSeconds: 400 * 86_400 };
/** Contains the keys of the browser's 6 most recent checkouts that it opened for the promoter. */
const receiptCookie = { name: "paid", maxKeys: 6, maxAgeSeconds: 30 * 86_400 };

const keysIn = ({ cookies }: Context["request"], { name, maxKeys }: typeof bookingCookie): string[] =>
  (cookies[name] ?? "")
    .split(".")
    .filter((key) => /^[\w-]{24}$/.test(key))
    .slice(0, maxKeys);

function addKey({ request, reply }: Pick<Context, "request" | "reply">, cookie: typeof bookingCookie, key: string) {
  const keys = [key, ...keysIn(request, cookie).filter((one) => one !== key)].slice(0, cookie.maxKeys);
  reply.setCookie(cookie.name, keys.join("."), { maxAgeSeconds: cookie.maxAgeSeconds });
}

export const grantKey = (context: Pick<Context, "request" | "reply">, key: string): void =>
  addKey(context, bookingCookie, key);

/** An admin who needs a second factor and has none is no admin for any booking. */
export const callerOf = ({ actor, request, services }: Pick<Context, "actor" | "request" | "services">): Caller => ({
  userId: actor?.userId ?? null,
  role: actor?.role === "admin" && !isFullAdmin(actor, services) ? null : (actor?.role ?? null),
  keyHashes: keysIn(request, bookingCookie).map(hashOf),
});

const receiptKeyOf = (keys: Keys, session: string) =>
  keys.hmac("payer of a checkout", session).subarray(0, 18).toString("base64url");

export const grantReceipt = (context: Receiver, session: string): void =>
  addKey(context, receiptCookie, receiptKeyOf(context.services.keys, session));

export const hasReceipt = ({ request, services }: Omit<Receiver, "reply">, session: string): boolean =>
  keysIn(request, receiptCookie).includes(receiptKeyOf(services.keys, session));

type Receiver = Pick<Context, "request" | "reply"> & { services: { keys: Keys } };
