import { useSite } from "../site.ts";
import { useHydrated } from "../use-hydrated.ts";

/**
 * Whether this browser can use passkeys here: it knows WebAuthn, and the page is at the host that passkeys belong to. Before the page
 * listens it answers for the site alone, so that a button is in its place from the start.
 */
export function usePasskeys(): boolean {
  const host = useSite()?.passkeyHost ?? null;
  const hydrated = useHydrated();
  if (host === null) return false;
  return !hydrated || (window.location.hostname === host && "PublicKeyCredential" in window);
}
