import { type ReactNode, useState, useEffect, useRef } from "react";
import { useLocation, matchPath, useNavigate } from "react-router";
import { paths, routePattern } from "#platform/site-paths.rules.ts";
import type { Role } from "#users/rules.ts";
import { type CurrentUser, useCurrentUser, type CurrentUserState } from "../../lib/api/current-user.ts";
import { queryClient } from "../../lib/api/query.ts";
import { rememberRoute } from "../../lib/auth/remembered-route.ts";
import { isLeaving, hasJustSignedOut } from "../../lib/auth/session.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { unsavedChanges, describeChanges } from "../dialogs/unsaved-changes.tsx";
import { ServerUnreachable } from "./unreachable.tsx";

/** Renders a dashboard for its roles, else a spinner or a redirect. The server authorizes every call. A page with unsaved changes is hidden while the session is missing, and shown again to the same user unless suspended. */
export function Guard({ roles, children }: Readonly<{ roles: readonly Role[]; children(me: CurrentUser): ReactNode }>) {
  const currentUser = useCurrentUser();
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  const { pathname } = useLocation();
  const [shown, setShown] = useState<CurrentUser>();
  const isOther = me !== undefined && shown !== undefined && me.id !== shown.id;
  const allowed = me !== undefined && roles.includes(me.role) && !owesSecondFactor(me, pathname) && !isOther;
  if (allowed && !shown) setShown(me);
  const isSuspended = currentUser.phase === "loading" && currentUser.isSuspended;
  const changes = me === undefined && shown && !isLeaving() && !isSuspended ? unsavedChanges() : [];
  const hasUnsaved = changes.length > 0;
  useHiddenPage(hasUnsaved);
  useRedirect(allowed || hasUnsaved ? undefined : redirectOf(currentUser, pathname), isOther);
  const page = allowed ? me : hasUnsaved ? shown : undefined;
  return (
    <>
      {allowed ? null : <WaitingForUser currentUser={currentUser} changes={changes} />}
      {page ? <div style={{ display: allowed ? "contents" : "none" }}>{children(page)}</div> : null}
    </>
  );
}

/** An admin must set up a second factor before using the admin area. Every role can open the account page. */
const owesSecondFactor = (me: CurrentUser, pathname: string): boolean =>
  me.shouldSetUpSecondFactor === true && pathname !== paths.account;

const promoterBooking = `/${routePattern(paths.promoterArea.booking(":id"))}`;

/** Returns where a user goes who may not see a page, or undefined while the user is unknown. */
function redirectOf(currentUser: CurrentUserState, pathname: string): string | undefined {
  if (currentUser.phase === "signed-out") return paths.signIn;
  if (currentUser.phase === "code-needed") return paths.code;
  if (currentUser.phase !== "known") return undefined;
  const { me } = currentUser;
  if (owesSecondFactor(me, pathname)) return `${paths.account}#second-factor`;
  // A promoter who became an artist still owns bookings, and the links in their emails lead here.
  const { id } = matchPath(promoterBooking, pathname)?.params ?? {};
  if (id && me.role === "artist") return paths.guestBooking(id);
  // Another role has its own dashboard.
  return paths.dashboard;
}

/** Goes to `goal`, or home after a sign-out. Remembers the route for the return after a sign-in or code. */
function useRedirect(goal: string | undefined, isOtherUser: boolean): void {
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

/** Hides dialogs and stops shortcuts while the page is hidden. Reloads its data when it is shown again, and forgets them when it is left, because another user may sign in. */
function useHiddenPage(hidden: boolean): void {
  const isHidden = useRef(false);
  useEffect(() => {
    isHidden.current = hidden;
    if (!hidden) return;
    const restore = hideDialogsAndShortcuts();
    return () => {
      restore();
      void queryClient.invalidateQueries();
    };
  }, [hidden]);
  useEffect(
    () => () => {
      if (isHidden.current) queryClient.clear();
    },
    [],
  );
}

/** Hides what is outside the element of a hidden page. Returns the function that restores it. */
function hideDialogsAndShortcuts(): () => void {
  const dialogs = document.querySelectorAll<HTMLElement>("[data-portal]");
  const setHidden = (hidden: boolean) => dialogs.forEach((dialog) => (dialog.hidden = hidden));
  const stop = (event: KeyboardEvent) => event.stopImmediatePropagation();
  setHidden(true);
  window.addEventListener("keydown", stop, { capture: true });
  return () => {
    setHidden(false);
    window.removeEventListener("keydown", stop, { capture: true });
  };
}

function WaitingForUser({
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
