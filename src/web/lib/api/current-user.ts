import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Me } from "#users/api.ts";
import { fallbackRole } from "#users/rules.ts";
import { apiErrorOf } from "../api-error.ts";
import { dropSession, isLeaving, renewSession, retrySession, useSession } from "../auth/session.ts";
import { toast } from "../toasts.ts";
import { orpc, queryClient } from "./query.ts";

/** `retryRole` is set if the role could not be read, so the user is shown as a promoter. */
export type CurrentUser = Readonly<
  Pick<Me, "id" | "name" | "email" | "role"> & Partial<Omit<Me, "createdAt">> & { retryRole?(): void }
>;

export type CurrentUserState =
  | Readonly<{ phase: "loading"; isSuspended?: boolean }>
  | Readonly<{ phase: "signed-out" | "code-needed" }>
  | Readonly<{ phase: "unreachable"; retry(): void }>
  | Readonly<{ phase: "known"; me: CurrentUser }>;

let ending: Promise<void> | undefined;

/** Handles a session that ended at the server: one message and sign-out. Only data of a page with unsaved changes stays cached. Does nothing during the user's own sign-out. */
function endedElsewhere(suspended: boolean): void {
  if (ending || isLeaving()) return;
  toast({
    tone: "error",
    title: suspended ? "Your account is suspended" : "You have been signed out",
    text: suspended
      ? "An admin suspended your account. Existing bookings and payments are not affected. Our email tells you whom to contact."
      : "Your session has ended. Sign in again to continue.",
  });
  ending = dropSession()
    .then(() => {
      queryClient.removeQueries({ queryKey: orpc.users.me.key() });
      queryClient.removeQueries({ type: "inactive" });
    })
    .finally(() => (ending = undefined));
}

/** Returns the current user. An unknown role counts as promoter for routing only. */
export function useCurrentUser(): CurrentUserState {
  const session = useSession();
  const user = session.phase === "signed-in" ? session.session.user : undefined;
  const me = useQuery(
    {
      ...orpc.users.me.queryOptions(),
      enabled: user !== undefined,
      staleTime: (query) => (query.state.data?.id === user?.id ? 30_000 : 0),
    },
    queryClient,
  );
  const apiError = me.error ? apiErrorOf(me.error) : undefined;
  const needsSecondFactor = apiError?.code === "insufficient_aal";
  const suspended = apiError?.code === "user_banned";
  const dead = suspended || (apiError?.status === 401 && !needsSecondFactor);
  useEffect(() => {
    if (dead) endedElsewhere(suspended);
  }, [dead, suspended]);
  // Another device may have set up a factor. The code page needs it in the session.
  const knowsFactor = user?.factors?.some((factor) => factor.status === "verified") ?? false;
  useEffect(() => {
    if (needsSecondFactor && !knowsFactor) void renewSession();
  }, [needsSecondFactor, knowsFactor]);
  const unread = apiError && !dead && !needsSecondFactor ? apiError.message : undefined;
  useEffect(() => {
    if (unread !== undefined) console.warn("The role could not be read.", unread);
  }, [unread]);

  if (session.phase === "unreachable") return { phase: "unreachable", retry: () => void retrySession() };
  if (session.phase === "loading") return { phase: "loading" };
  if (!user) return { phase: "signed-out" };
  if (dead) return { phase: "loading", isSuspended: suspended };
  if (needsSecondFactor) return { phase: knowsFactor ? "code-needed" : "loading" };
  if (me.data && me.data.id === user.id) return { phase: "known", me: me.data };
  if (!apiError) return { phase: "loading" };
  const retry = () => void me.refetch();
  if (apiError.status === undefined) return { phase: "unreachable", retry };
  const { id, email = "" } = user;
  return { phase: "known", me: { id, name: email, email, role: fallbackRole, retryRole: retry } };
}
