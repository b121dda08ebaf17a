/**
 * Cookie mode: the refresh token lives in an HttpOnly cookie and never in a script's reach. Under https its name starts with
 * __Host- (which demands Secure and Path=/); plain http, which only loopback should use, cannot have that prefix.
 */
import type { PlatformServices } from "#platform/services.ts";
import { lifetimes } from "../rules.ts";
import { randomToken } from "../sessions/refresh-tokens.store.ts";
import type { AuthCall } from "./call.ts";

const isHttps = (services: PlatformServices) => services.config.publicUrl.startsWith("https:");

/** What stands in a body in the place of a refresh token that went into the cookie. */
export const cookiePlaceholder = "cookie";
/** Readable and meaningless: lets a public page show the right header before paint. */
const signedInCookie = "signed_in";

const refreshName = (services: PlatformServices) => (isHttps(services) ? "__Host-refresh" : "stagedoor_refresh");
const signupName = (services: PlatformServices) => (isHttps(services) ? "__Host-signup" : "stagedoor_signup");
const place = (services: PlatformServices) => ({ path: isHttps(services) ? "/" : "/auth/v1" });

export function setRefreshCookie(call: AuthCall, token: string): void {
  call.setCookie(refreshName(call.services), token, { ...place(call.services), maxAgeSeconds: lifetimes.sessionIdle });
  call.setCookie(signedInCookie, "1", { httpOnly: false, maxAgeSeconds: lifetimes.sessionIdle });
}

export function clearRefreshCookie(call: AuthCall): void {
  call.setCookie(refreshName(call.services), "", { ...place(call.services), maxAgeSeconds: 0 });
  call.setCookie(signedInCookie, "", { httpOnly: false, maxAgeSeconds: 0 });
}

export const readRefreshCookie = (call: AuthCall): string | undefined =>
  call.cookies[refreshName(call.services)] || undefined;

/** Marks the browser that signs up, so that its own confirmation keeps the password it chose. */
export function setSignupNonce(call: AuthCall): string {
  const nonce = call.cookies[signupName(call.services)] || randomToken();
  call.setCookie(signupName(call.services), nonce, { ...place(call.services), maxAgeSeconds: lifetimes.signupLink });
  return nonce;
}

export const readSignupNonce = (call: AuthCall): string | undefined =>
  call.cookies[signupName(call.services)] || undefined;
