import { useHydrated } from "../browser/use-hydrated.ts";
import { useSite } from "../site.ts";

/** Returns true if passkeys work here: WebAuthn and the passkeys' host. Before hydration it considers only the site, to render the button from the start. */
export function usePasskeys(): boolean {
  const host = useSite()?.passkeyHost ?? null;
  const hydrated = useHydrated();
  if (host === null) return false;
  return !hydrated || (window.location.hostname === host && "PublicKeyCredential" in window);
}
