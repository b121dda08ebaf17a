/** The signed-in person with their role, as the server's database has it. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fallbackRole, type Role } from "#users/rules.ts";
import { orpc, queryClient } from "./query.ts";
import { refusalOf } from "./refusal.ts";
import { dropSession, renewSession, retrySession, useSession } from "./session.ts";

/** What the routing needs to know of a person. */
export type Person = Readonly<{ id: string; name: string; email: string; role: Role }>;

export type PersonState =
  | Readonly<{ phase: "loading" | "nobody" | "code-needed" }>
  | Readonly<{ phase: "unreachable"; retry(): void }>
  | Readonly<{ phase: "known"; me: Person }>;

/**
 * Who is here: loading until the session and the role are known. A role that cannot be read is logged and counts as
 * promoter, for the routing only (specification, section 6); the server asks its own database on every call.
 */
export function usePerson(): PersonState {
  const session = useSession();
  const user = session.phase === "signed-in" ? session.session.user : undefined;
  const me = useQuery({ ...orpc.users.me.queryOptions(), enabled: user !== undefined, staleTime: 30_000 }, queryClient);
  const refusal = me.error ? refusalOf(me.error) : undefined;
  const owesCode = refusal?.code === "insufficient_aal";
  const dead = refusal?.status === 401 && !owesCode;
  useEffect(() => {
    if (dead) void dropSession();
  }, [dead]);
  // A factor that was set up elsewhere meanwhile: the page that asks for its code must know of it.
  const knowsFactor = user?.factors?.some((factor) => factor.status === "verified") ?? false;
  useEffect(() => {
    if (owesCode && !knowsFactor) void renewSession();
  }, [owesCode, knowsFactor]);
  const unread = refusal && !dead && !owesCode ? refusal.message : undefined;
  useEffect(() => {
    if (unread !== undefined) console.warn("The role could not be read.", unread);
  }, [unread]);

  if (session.phase === "unreachable") return { phase: "unreachable", retry: () => void retrySession() };
  if (session.phase === "loading") return { phase: "loading" };
  if (!user) return { phase: "nobody" };
  if (owesCode) return { phase: knowsFactor ? "code-needed" : "loading" };
  if (me.data && me.data.id === user.id) return { phase: "known", me: me.data };
  if (!refusal || dead) return { phase: "loading" };
  if (refusal.status === undefined) return { phase: "unreachable", retry: () => void me.refetch() };
  return { phase: "known", me: { id: user.id, name: user.email ?? "", email: user.email ?? "", role: fallbackRole } };
}
