/** Cookie mode: an HttpOnly cookie has the refresh token. Under https its name starts with __Host-, which plain http cannot have (decision 0010). */
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { randomToken } from "../sessions/refresh-tokens.store.ts";
import type { AuthCall } from "./call.ts";

const isHttps = (services: PlatformServices) => services.config.publicUrl.startsWith("https:");

/** Replaces the refresh token in a body when it is in the cookie. */
export const cookiePlaceholder = "cookie";
/** Readable by scripts and without a secret. A public page renders the right header before paint with it. */
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

/** Returns the secret of the browser that signs up: its existing one, or a new one. Its own confirmation then retains the chosen password. */
export const signupNonce = (call: AuthCall): string => readSignupNonce(call) ?? randomToken();

export function setSignupNonce({ context: { services }, setCookie }: AuthCall, nonce: string): void {
  setCookie(signupName(services), nonce, { ...place(services), maxAgeSeconds: lifetimes.signupLink });
}

/** Returns the secret of the browser that signs in with a passkey. Only this browser can use its challenge. */
export const passkeyNonce = (call: AuthCall): string => readPasskeyNonce(call) ?? randomToken();

export const readPasskeyNonce = ({ context: { services }, cookies }: AuthCall): string | undefined =>
  cookies[passkeyName(services)] || undefined;

export function setPasskeyNonce({ context: { services }, setCookie }: AuthCall, nonce: string): void {
  setCookie(passkeyName(services), nonce, { ...place(services), maxAgeSeconds: lifetimes.challenge });
}

export const attemptCookie = (services: PlatformServices) => ({
  name: isHttps(services) ? "__Host-oidc" : "stagedoor_oidc",
  ...place(services),
});
