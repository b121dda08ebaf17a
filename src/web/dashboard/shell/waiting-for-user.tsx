import type { ReactNode } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import type { CurrentUserState } from "../../lib/api/current-user.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { describeChanges } from "../dialogs/unsaved-changes.tsx";
import { ServerUnreachable } from "./unreachable.tsx";

/** Shown instead of a page that the user may not see: a spinner, or how to return to unsaved changes. */
export function WaitingForUser({
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
