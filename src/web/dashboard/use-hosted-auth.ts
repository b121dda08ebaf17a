import { useCurrentUser } from "../lib/api/current-user.ts";

/** Returns true if a hosted service keeps passwords and second factors (GOTRUE_URL, docs/decisions/0008); some actions are then hidden. */
export function useHostedAuth(): boolean {
  const currentUser = useCurrentUser();
  return currentUser.phase === "known" && currentUser.me.hosted === true;
}
