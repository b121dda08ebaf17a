/** The auth service's client in cookie mode: the refresh token stays in an HttpOnly cookie, the access token in memory. */

import { GoTrueClient } from "@supabase/auth-js";
import { watchSlowActions } from "../browser/slow-actions.ts";
import { countedFetch } from "./auth-calls.ts";
import { withMutex } from "./mutex.ts";

/** A placeholder for the refresh token, which the browser never sees. */
export const refreshByCookie = "cookie";

/** Also names the channel on which tabs share sign-in and sign-out. */
const storageKey = "stagedoor-session";

/** A refused renewal ends the client's session. A limit is only temporary, so it counts as a lost connection. */
const fetchUnlimited: typeof fetch = async (input, init) => {
  const response = await countedFetch(input, init);
  if (response.status === 429 && String(input).includes("grant_type=refresh_token"))
    throw new Error("The renewal of the session was limited.");
  return response;
};

export function makeAuthClient(): GoTrueClient {
  watchSlowActions();
  const memory = new Map<string, string>();
  const client = new GoTrueClient({
    url: `${window.location.origin}/auth/v1`,
    headers: { "x-token-mode": "cookie" },
    storageKey,
    storage: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    },
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: false,
    fetch: withMutex(fetchUnlimited),
    experimental: { recoveryCodes: true },
  });
  // Another tab's sign-in or sign-out arrives only as an event, so the memory must follow.
  client.onAuthStateChange((event, session) => {
    if (event === "SIGNED_OUT") memory.delete(storageKey);
    else if (session) memory.set(storageKey, JSON.stringify(session));
  });
  return client;
}
