/** Cookie mode: an HttpOnly cookie has the refresh token. Under https its name starts with __Host-, which plain http cannot have (decision 0010). */

import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { randomToken } from "../sessions/refresh-tokens.store.ts";
import type { AuthCall } from "./call.ts";

const isHttps = (services: PlatformServices) => services.config.publicUrl.startsWith("https:");

export const cookiePlaceholder = "cookie";
/** Readable by scripts and without a secret. A public page renders the right header before paint with it. */
const signedInCookie = "signed_in";

type Cookie = "refresh" | "signup" | "passkey" | "oidc";
const nameOf = (services: PlatformServices, cookie: Cookie) =>
  `${isHttps(services) ? "__Host-" : "stagedoor_"}${cookie}`;
const place = (services: PlatformServices) => ({ path: isHttps(services) ? "/" : "/auth/v1" });

export function setRefreshCookie({ context: { services }, setCookie }: AuthCall, token: string): void {
  setCookie(nameOf(services, "refresh"), token, { ...place(services), maxAgeSeconds: lifetimes.sessionIdle });
  setCookie(signedInCookie, "1", { httpOnly: false, maxAgeSeconds: lifetimes.sessionIdle });
}

export function clearRefreshCookie({ context: { services }, setCookie }: AuthCall): void {
  setCookie(nameOf(services, "refresh"), "", { ...place(services), maxAgeSeconds: 0 });
  setCookie(signedInCookie, "", { httpOnly: false, maxAgeSeconds: 0 });
}

export const readRefreshCookie = (services: PlatformServices, cookies: AuthCall["cookies"]): string | undefined =>
  cookies[nameOf(services, "refresh")] || undefined;

const browserSecret = (cookie: Cookie, maxAgeSeconds: number) => {
  const read = ({ context: { services }, cookies }: AuthCall) => cookies[nameOf(services, cookie)] || undefined;
  return {
    read,
    current: (call: AuthCall) => read(call) ?? randomToken(),
    set: ({ context: { services }, setCookie }: AuthCall, secret: string) =>
      setCookie(nameOf(services, cookie), secret, { ...place(services), maxAgeSeconds }),
  };
};

/** The browser that signs up. Its own confirmation retains the chosen password. */
export const signupSecret = browserSecret("signup", lifetimes.signupLink);

export const passkeySecret = browserSecret("passkey", lifetimes.challenge);

export const attemptCookie = (services: PlatformServices) => ({ name: nameOf(services, "oidc"), ...place(services) });
