import { type ReactNode, useEffect, useRef, useState } from "react";
import { matchPath, useLocation, useNavigate } from "react-router";
import { paths, routePattern } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { type CurrentUser, type CurrentUserState, useCurrentUser } from "../../lib/api/current-user.ts";
import { queryClient } from "../../lib/api/query.ts";
import { rememberRoute } from "../../lib/auth/remembered-route.ts";
import { hasJustSignedOut, isLeaving } from "../../lib/auth/session.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { describeChanges, unsavedChanges } from "../dialogs/unsaved-changes.tsx";
import { ServerUnreachable } from "./unreachable.tsx";
import { useHiddenPage } from "./use-hidden-page.ts";

type Props = Readonly<{ roles: readonly Role[]; children(me: CurrentUser): ReactNode }>;

/** Renders a dashboard for its roles: a spinner first, then the page or a redirect. Affects only the display, because the server authorizes every call.
 * A page with unsaved changes is only hidden while the session is missing, and shown again to the same user. A suspended user loses them.
 */
export function Guard({ roles, children }: Props) {
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // An admin must set up a second factor before using the admin area. Every role can open the account page.
  const owesFactor = me?.shouldSetUpSecondFactor === true && pathname !== paths.account;
  const [shown, setShown] = useState<CurrentUser>();
  const isOther = me !== undefined && shown !== undefined && me.id !== shown.id;
  const allowed = me !== undefined && roles.includes(me.role) && !owesFactor && !isOther;
  if (allowed && !shown) setShown(me);
  const isSuspended = currentUser.phase === "loading" && currentUser.isSuspended;
  const changes = me === undefined && shown && !isLeaving() && !isSuspended ? unsavedChanges() : [];
  const hasUnsaved = changes.length > 0;
  const goal =
    allowed || hasUnsaved ? undefined : owesFactor ? `${paths.account}#second-factor` : goalOf(currentUser, pathname);
  const left = useRef(false);
  useHiddenPage(hasUnsaved);
  useEffect(() => {
    if (!goal) return;
    if (isOther) queryClient.clear();
    // Stored in a ref, because the effect runs again if something changes during the navigation.
    left.current ||= goal === paths.signIn && hasJustSignedOut();
    if (!left.current && (goal === paths.signIn || goal === paths.code)) rememberRoute(pathname + search);
    void navigate(left.current ? paths.home : goal, { replace: true });
  }, [goal, isOther, navigate, pathname, search]);
  const page = allowed ? me : hasUnsaved ? shown : undefined;
  return (
    <>
      {allowed ? null : <Waiting currentUser={currentUser} changes={changes} />}
      {page ? <div style={{ display: allowed ? "contents" : "none" }}>{children(page)}</div> : null}
    </>
  );
}

function Waiting({
  currentUser,
  changes,
}: Readonly<{ currentUser: CurrentUserState; changes: readonly string[] }>): ReactNode {
  if (currentUser.phase === "unreachable") return <ServerUnreachable onRetry={currentUser.retry} />;
  if (currentUser.phase === "loading" || changes.length === 0) return <Spinner />;
  const owesCode = currentUser.phase === "code-needed";
  return (
    <EmptyState
      heading="h1"
      title={owesCode ? "Enter your code" : "You have been signed out"}
      text={`${owesCode ? "Your account now requires a second factor. Enter your code" : "Sign in again"} in a new tab, then come back to this one. Keep it open: ${describeChanges(changes)}`}
    >
      <LinkButton href={owesCode ? paths.code : paths.signIn} target="_blank" rel="noreferrer">
        {owesCode ? "Enter Code" : "Sign In"}
        <span className="sr"> (opens in a new tab)</span>
      </LinkButton>
    </EmptyState>
  );
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
