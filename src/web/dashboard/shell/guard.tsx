import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import type { Role } from "#users/rules.ts";
import { type CurrentUser, useCurrentUser } from "../../lib/api/current-user.ts";
import { isLeaving } from "../../lib/auth/session.ts";
import { unsavedChanges } from "../dialogs/unsaved-changes.tsx";
import { owesSecondFactor, redirectOf, useRedirect } from "./redirect.ts";
import { useHiddenPage } from "./use-hidden-page.ts";
import { WaitingForUser } from "./waiting-for-user.tsx";

type Props = Readonly<{ roles: readonly Role[]; children(me: CurrentUser): ReactNode }>;

/** Renders a dashboard for its roles, else a spinner or a redirect. The server authorizes every call. A page with unsaved changes is hidden while the session is missing, and shown again to the same user unless suspended. */
export function Guard({ roles, children }: Props) {
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
