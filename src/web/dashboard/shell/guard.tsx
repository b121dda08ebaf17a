/** The guard of an area: spinner while nobody knows who is here, then the page, the sign-in page, or the way home. */
import { type ReactNode, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Role } from "#users/rules.ts";
import { rememberRoute } from "../../auth/remembered-route.ts";
import { type Person, type CurrentUserState, useCurrentUser } from "../../lib/auth/current-user.ts";
import { hasJustSignedOut } from "../../lib/auth/session.ts";
import { paths } from "../../paths.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { ServerUnreachable } from "./unreachable.tsx";

type Props = Readonly<{
  /** The roles that this area is for. */
  roles: readonly Role[];
  /** Where another role is sent (specification: /dashboard unless told). */
  fallback?: string;
  children(me: Person): ReactNode;
}>;

/** Shows an area to those it is for. The server decides again on every call; this decides only what is drawn. */
export function Guard({ roles, fallback = paths.dashboard, children }: Props) {
  const person = useCurrentUser();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const allowed = person.phase === "known" && roles.includes(person.me.role);
  const goal = allowed ? undefined : goalOf(person, fallback);
  useEffect(() => {
    if (!goal) return;
    const left = goal === paths.signIn && hasJustSignedOut();
    if (!left && (goal === paths.signIn || goal === paths.code)) rememberRoute(pathname);
    void navigate(left ? paths.home : goal, { replace: true });
  }, [goal, navigate, pathname]);
  if (person.phase === "unreachable") return <ServerUnreachable onRetry={person.retry} />;
  return allowed ? children(person.me) : <Spinner />;
}

function goalOf(person: CurrentUserState, fallback: string): string | undefined {
  if (person.phase === "nobody") return paths.signIn;
  if (person.phase === "code-needed") return paths.code;
  return person.phase === "known" ? fallback : undefined;
}
