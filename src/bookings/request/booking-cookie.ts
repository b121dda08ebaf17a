/** The cookies with a browser's booking keys and receipts, and the caller of an HTTP request. Only this file of the module reads or sets cookies. */
import type { Context } from "#platform/http/context.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { Caller } from "../policy.ts";
import { hashOf } from "../links/access.ts";

/** HttpOnly, SameSite=Lax. Contains the keys of the browser's 12 most recent bookings. */
export const bookingCookie = "bookings";
const maxKeys = 12;
const maxAgeSeconds = 400 * 86_400;

type Cookies = Readonly<Record<string, string | undefined>>;

const keysIn = (cookies: Cookies): string[] =>
  (cookies[bookingCookie] ?? "")
    .split(".")
    .filter((key) => /^[\w-]{24}$/.test(key))
    .slice(0, maxKeys);

export function grantKey({ request, reply }: Pick<Context, "request" | "reply">, key: string): void {
  const keys = [key, ...keysIn(request.cookies).filter((one) => one !== key)].slice(0, maxKeys);
  reply.setCookie(bookingCookie, keys.join("."), { maxAgeSeconds });
}

export const callerOf = ({ actor, request }: Pick<Context, "actor" | "request">): Caller => ({
  userId: actor?.userId ?? null,
  role: actor?.role ?? null,
  keyHashes: keysIn(request.cookies).map(hashOf),
});

const receiptCookie = "paid";
const maxReceipts = 6;

const receiptKeyOf = (keys: Keys, session: string) =>
  keys.hmac("payer of a checkout", session).subarray(0, 18).toString("base64url");
const receiptsIn = (cookies: Cookies): string[] =>
  (cookies[receiptCookie] ?? "")
    .split(".")
    .filter((key) => /^[\w-]{24}$/.test(key))
    .slice(0, maxReceipts);

/** Allows this browser to read the confirmation of a checkout that it opened for the promoter. */
export function grantReceipt({ request, reply, services }: Receiver, session: string): void {
  const key = receiptKeyOf(services.keys, session);
  const keys = [key, ...receiptsIn(request.cookies).filter((one) => one !== key)].slice(0, maxReceipts);
  reply.setCookie(receiptCookie, keys.join("."), { maxAgeSeconds: 86_400 * 30 });
}

export const hasReceipt = ({ request, services }: Omit<Receiver, "reply">, session: string): boolean =>
  receiptsIn(request.cookies).includes(receiptKeyOf(services.keys, session));

type Receiver = Pick<Context, "request" | "reply"> & { services: { keys: Keys } };
