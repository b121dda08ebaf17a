import { useEffect, useRef } from "react";
import { matchPath, useLocation, useNavigate } from "react-router";
import { paths, routePattern } from "#platform/site-paths.rules.ts";
import type { CurrentUser, CurrentUserState } from "../../lib/api/current-user.ts";
import { queryClient } from "../../lib/api/query.ts";
import { rememberRoute } from "../../lib/auth/remembered-route.ts";
import { hasJustSignedOut } from "../../lib/auth/session.ts";

/** An admin must set up a second factor before using the admin area. Every role can open the account page. */
export const owesSecondFactor = (me: CurrentUser, pathname: string): boolean =>
  me.shouldSetUpSecondFactor === true && pathname !== paths.account;

const promoterBooking = `/${routePattern(paths.promoterArea.booking(":id"))}`;

/** Returns where a user goes who may not see a page, or undefined while the user is unknown. */
export function redirectOf(currentUser: CurrentUserState, pathname: string): string | undefined {
  if (currentUser.phase === "nobody") return paths.signIn;
  if (currentUser.phase === "code-needed") return paths.code;
  if (currentUser.phase !== "known") return undefined;
  const { me } = currentUser;
  if (owesSecondFactor(me, pathname)) return `${paths.account}#second-factor`;
  // A promoter who became an artist still owns bookings, and the links in their emails lead here.
  const { id } = matchPath(promoterBooking, pathname)?.params ?? {};
  if (id && me.role === "artist") return paths.guestBooking(id);
  // Another role has its own dashboard (specification).
  return paths.dashboard;
}

/** Goes to `goal`, or home after a sign-out. Remembers the route for the return after a sign-in or code. */
export function useRedirect(goal: string | undefined, isOtherUser: boolean): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const left = useRef(false);
  useEffect(() => {
    if (!goal) return;
    if (isOtherUser) queryClient.clear();
    // Stored in a ref, because the effect runs again if something changes during the navigation.
    left.current ||= goal === paths.signIn && hasJustSignedOut();
    if (!left.current && (goal === paths.signIn || goal === paths.code)) rememberRoute(pathname + search);
    void navigate(left.current ? paths.home : goal, { replace: true });
  }, [goal, isOtherUser, navigate, pathname, search]);
}
