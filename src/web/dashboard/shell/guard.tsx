import { type ReactNode, useEffect, useRef } from "react";
import { matchPath, useLocation, useNavigate } from "react-router";
import type { Role } from "#users/rules.ts";
import { rememberRoute } from "../../lib/auth/remembered-route.ts";
import { type CurrentUser, type CurrentUserState, useCurrentUser } from "../../lib/api/current-user.ts";
import { hasJustSignedOut } from "../../lib/auth/session.ts";
import { paths, routePattern } from "#platform/site-paths.rules.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { ServerUnreachable } from "./unreachable.tsx";

type Props = Readonly<{ roles: readonly Role[]; children(me: CurrentUser): ReactNode }>;

/** Renders a dashboard for its roles: a spinner first, then the page or a redirect. Affects only the display, because the server authorizes every call. */
export function Guard({ roles, children }: Props) {
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // An admin must set up a second factor before using the admin area. Every role can open the account page.
  const owesFactor = me?.shouldSetUpSecondFactor === true && pathname !== paths.account;
  const allowed = me !== undefined && roles.includes(me.role) && !owesFactor;
  const goal = allowed ? undefined : owesFactor ? `${paths.account}#second-factor` : goalOf(currentUser, pathname);
  const left = useRef(false);
  useEffect(() => {
    if (!goal) return;
    // Stored in a ref, because the effect runs again if something changes during the navigation.
    left.current ||= goal === paths.signIn && hasJustSignedOut();
    if (!left.current && (goal === paths.signIn || goal === paths.code)) rememberRoute(pathname);
    void navigate(left.current ? paths.home : goal, { replace: true });
  }, [goal, navigate, pathname]);
  if (currentUser.phase === "unreachable") return <ServerUnreachable onRetry={currentUser.retry} />;
  return allowed ? children(me) : <Spinner />;
}

const promoterBooking = `/${routePattern(paths.promoterArea.booking(":id"))}`;

function goalOf(currentUser: CurrentUserState, pathname: string): string | undefined {
  if (currentUser.phase === "nobody") return paths.signIn;
  if (currentUser.phase === "code-needed") return paths.code;
  // A promoter who became an artist still owns bookings, and the links in their emails lead here.
  const { id } = matchPath(promoterBooking, pathname)?.params ?? {};
  if (id && currentUser.phase === "known" && currentUser.me.role === "artist") return paths.guestBooking(id);
  // Another role has its own dashboard (specification).
  return currentUser.phase === "known" ? paths.dashboard : undefined;
}
