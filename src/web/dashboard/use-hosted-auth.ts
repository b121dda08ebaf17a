import { useCurrentUser } from "../lib/api/current-user.ts";

/** Returns true if a hosted service stores passwords and second factors (GOTRUE_URL, docs/decisions/0008). Some actions are then hidden. */
export function useHostedAuth(): boolean {
  const currentUser = useCurrentUser();
  return currentUser.phase === "known" && currentUser.me.hosted === true;
}
