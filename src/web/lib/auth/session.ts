/** The session of this tab. Loads the auth client only with a `signed_in` cookie or at sign-in. */

import type { AuthChangeEvent, GoTrueClient, Session } from "@supabase/auth-js";
import { useEffect } from "react";
import { makeStore } from "../store.ts";

/** `loading` until the first response, `unreachable` if the server did not respond. */
type SessionState =
  | Readonly<{ phase: "loading" }>
  | Readonly<{ phase: "signed-out" }>
  | Readonly<{ phase: "unreachable" }>
  | Readonly<{ phase: "signed-in"; session: Session }>;

const store = makeStore<SessionState>({ phase: "loading" });
let client: Promise<GoTrueClient> | undefined;
let started: Promise<void> | undefined;
let leaving = false;

/** The second factor is pending, so there is no dashboard to offer yet. */
const owesCode = ({ user, access_token }: Session): boolean =>
  (user.factors?.some((factor) => factor.status === "verified") ?? false) &&
  !/"aal":"aal2"/.test(claimsIn(access_token));

function claimsIn(token: string): string {
  try {
    return atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

function become(next: SessionState): void {
  if (next.phase === "signed-in") {
    leaving = false;
    document.documentElement.dataset.signedIn = owesCode(next.session) ? "code" : "";
  }
  if (next.phase === "signed-out") {
    delete document.documentElement.dataset.signedIn;
    // The server clears this cookie when it ends a session. A session lost otherwise would leave it.
    document.cookie = "signed_in=; path=/; max-age=0";
  }
  store.set(next);
}

/** Returns true if the cookie indicates a former sign-in. It proves nothing. */
export const mayBeSignedIn = (cookies: string): boolean =>
  cookies.split(";").some((one) => one.trim() === "signed_in=1");

export function authClient(): Promise<GoTrueClient> {
  client ??= import("./auth-client.ts").then(
    ({ makeAuthClient }) => {
      const made = makeAuthClient();
      made.onAuthStateChange(follow);
      return made;
    },
    (cause: unknown) => {
      client = undefined;
      throw new Error("The server could not be reached. Please try again.", { cause });
    },
  );
  return client;
}

function follow(event: AuthChangeEvent, session: Session | null): void {
  if (event === "INITIAL_SESSION") return;
  become(session ? { phase: "signed-in", session } : { phase: "signed-out" });
}

export function startSession(): Promise<void> {
  started ??= restore();
  return started;
}

export function retrySession(): Promise<void> {
  become({ phase: "loading" });
  started = restore();
  return started;
}

let renewing: Promise<void> | undefined;

/** Reloads the session, because the server has newer user data. */
export function renewSession(): Promise<void> {
  renewing ??= restore().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function restore(): Promise<void> {
  if (!mayBeSignedIn(document.cookie)) {
    if (store.get().phase === "loading") become({ phase: "signed-out" });
    return;
  }
  const auth = await authClient().catch(() => undefined);
  if (!auth) return become({ phase: "unreachable" });
  const { refreshByCookie } = await import("./auth-client.ts");
  const { data, error } = await auth.refreshSession({ refresh_token: refreshByCookie });
  if (data.session) return become({ phase: "signed-in", session: data.session });
  const lost = error?.name === "AuthRetryableFetchError" || (error?.status ?? 0) >= 500;
  become({ phase: lost ? "unreachable" : "signed-out" });
}

/** Returns the bearer token of API calls, undefined for a visitor. The client renews it 90 seconds or less before expiry. */
export async function accessToken(): Promise<string | undefined> {
  await startSession();
  if (store.get().phase !== "signed-in") return undefined;
  const { data } = await (await authClient()).getSession();
  return data.session?.access_token;
}

export const isLeaving = (): boolean => leaving;

/** True once after the user signed out, who is then redirected home instead of to the sign-in page. */
export function hasJustSignedOut(): boolean {
  const was = leaving;
  leaving = false;
  return was;
}

/** Ends this browser's session. A failure is only logged. Returns false if the server did not confirm the end. */
export async function signOut(): Promise<boolean> {
  leaving = true;
  await import("../form-draft.ts").then(({ clearDrafts }) => clearDrafts()).catch(console.warn);
  return dropSession();
}

export async function dropSession(): Promise<boolean> {
  const { error } = await (await authClient()).signOut({ scope: "local" });
  if (error) console.warn("The sign-out did not reach the server.", error.message);
  become({ phase: "signed-out" });
  return !error;
}

export function useSession(): SessionState {
  useEffect(() => void startSession(), []);
  return store.useValue((session) => session);
}

export async function signedInUser(): Promise<Session["user"] | undefined> {
  await startSession();
  const state = store.get();
  return state.phase === "signed-in" ? state.session.user : undefined;
}
