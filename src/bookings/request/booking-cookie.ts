/** The cookie with a browser's booking keys, and the caller of an HTTP request. Only this file of the module reads or sets cookies. */
import type { Context } from "#platform/http/context.ts";
import type { Caller } from "../policy.ts";
import { hashOf } from "./access.ts";

/** HttpOnly, SameSite=Lax; holds the keys of the browser's most recent bookings. */
export const bookingCookie = "bookings";
const mostKeys = 12;
const maxAgeSeconds = 400 * 86_400;

type Cookies = Readonly<Record<string, string | undefined>>;

const keysIn = (cookies: Cookies): string[] =>
  (cookies[bookingCookie] ?? "")
    .split(".")
    .filter((key) => /^[\w-]{24}$/.test(key))
    .slice(0, mostKeys);

/** Gives the browser the key of a booking, beside those it has. */
export function grantKey({ request, reply }: Pick<Context, "request" | "reply">, key: string): void {
  const keys = [key, ...keysIn(request.cookies).filter((one) => one !== key)].slice(0, mostKeys);
  reply.setCookie(bookingCookie, keys.join("."), { maxAgeSeconds });
}

/** The caller: the user of the session and the booking keys of the browser. */
export const callerOf = ({ actor, request }: Pick<Context, "actor" | "request">): Caller => ({
  userId: actor?.userId ?? null,
  role: actor?.role ?? null,
  keyHashes: keysIn(request.cookies).map(hashOf),
});
