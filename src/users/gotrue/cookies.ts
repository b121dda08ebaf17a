/**
 * Cookie mode: the refresh token is in an HttpOnly cookie, out of the reach of scripts. Under https its name starts with __Host-,
 * which demands Secure and Path=/; plain http, which only loopback should use, cannot have that prefix (decision 0010).
 */
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { randomToken } from "../sessions/refresh-tokens.store.ts";
import type { AuthCall } from "./call.ts";

const isHttps = (services: PlatformServices) => services.config.publicUrl.startsWith("https:");

/** The value in a body in place of a refresh token that is in the cookie. */
export const cookiePlaceholder = "cookie";
/** Readable by scripts and without meaning: lets a public page show the right header before paint. */
const signedInCookie = "signed_in";

const refreshName = (services: PlatformServices) => (isHttps(services) ? "__Host-refresh" : "stagedoor_refresh");
const signupName = (services: PlatformServices) => (isHttps(services) ? "__Host-signup" : "stagedoor_signup");
const passkeyName = (services: PlatformServices) => (isHttps(services) ? "__Host-passkey" : "stagedoor_passkey");
const place = (services: PlatformServices) => ({ path: isHttps(services) ? "/" : "/auth/v1" });

export function setRefreshCookie({ context: { services }, setCookie }: AuthCall, token: string): void {
  setCookie(refreshName(services), token, { ...place(services), maxAgeSeconds: lifetimes.sessionIdle });
  setCookie(signedInCookie, "1", { httpOnly: false, maxAgeSeconds: lifetimes.sessionIdle });
}

export function clearRefreshCookie({ context: { services }, setCookie }: AuthCall): void {
  setCookie(refreshName(services), "", { ...place(services), maxAgeSeconds: 0 });
  setCookie(signedInCookie, "", { httpOnly: false, maxAgeSeconds: 0 });
}

export const readRefreshCookie = (services: PlatformServices, cookies: AuthCall["cookies"]): string | undefined =>
  cookies[refreshName(services)] || undefined;

export const readSignupNonce = ({ context: { services }, cookies }: AuthCall): string | undefined =>
  cookies[signupName(services)] || undefined;

/** The secret of the browser that signs up, so that its own confirmation keeps the password it chose: the one it has, or a new one. */
export const signupNonce = (call: AuthCall): string => readSignupNonce(call) ?? randomToken();

export function setSignupNonce({ context: { services }, setCookie }: AuthCall, nonce: string): void {
  setCookie(signupName(services), nonce, { ...place(services), maxAgeSeconds: lifetimes.signupLink });
}

/** The secret of the browser that signs in with a passkey: only it can use the challenge that it was given. */
export const passkeyNonce = (call: AuthCall): string => readPasskeyNonce(call) ?? randomToken();

export const readPasskeyNonce = ({ context: { services }, cookies }: AuthCall): string | undefined =>
  cookies[passkeyName(services)] || undefined;

export function setPasskeyNonce({ context: { services }, setCookie }: AuthCall, nonce: string): void {
  setCookie(passkeyName(services), nonce, { ...place(services), maxAgeSeconds: lifetimes.challenge });
}

/** Keeps the secrets of a sign-in with the organization's account while the browser is at the provider. */
export const attemptCookie = (services: PlatformServices) => ({
  name: isHttps(services) ? "__Host-oidc" : "stagedoor_oidc",
  ...place(services),
});
