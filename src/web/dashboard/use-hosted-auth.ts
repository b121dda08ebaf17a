import { useCurrentUser } from "../lib/auth/current-user.ts";

/**
 * A hosted service keeps passwords and second factors (GOTRUE_URL, docs/decisions/0019). What it does not let us do is not on the
 * screen: proving oneself by an emailed code, resetting somebody's second factor, and recovery codes.
 */
export function useHostedAuth(): boolean {
  const currentUser = useCurrentUser();
  return currentUser.phase === "known" && currentUser.me.hosted === true;
}
