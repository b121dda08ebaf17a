import { isRecentlyAuthenticated } from "../authentication/authenticated-session.ts";
import { type LogoutScope, endSessions } from "../sessions/sessions.store.ts";
import type { AccountContext } from "./context.ts";

type SigningOut = Readonly<{ userId: string; sessionId: string; lacksFactor: boolean }>;

export type SignOutRefused = "insufficient_aal" | "reauthentication_needed";

/** Ends the sessions of a scope. Without second factor or recent authentication a session ends only itself, and the reason is returned. */
export async function signOut({ services }: Pick<AccountContext, "services">, who: SigningOut, scope: LogoutScope) {
  const refused = scope === "local" ? undefined : await whyNotOthers(services, who);
  if (refused && scope !== "global") return refused;
  await services.database.transaction((tx) => endSessions(tx, who.userId, refused ? "local" : scope, who.sessionId));
  return refused;
}

async function whyNotOthers(services: AccountContext["services"], who: SigningOut) {
  if (who.lacksFactor) return "insufficient_aal";
  if (await isRecentlyAuthenticated(services, who.sessionId)) return undefined;
  const other = await services.database.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", who.userId)
    .where("id", "<>", who.sessionId)
    .executeTakeFirst();
  return other && "reauthentication_needed";
}
