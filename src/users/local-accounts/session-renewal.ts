import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { deviceName } from "#platform/http/device-name.ts";
import { AuthError } from "../auth-errors.ts";
import { sendSessionStolen } from "../emails.ts";
import { amrShape } from "../sessions/access-tokens.ts";
import { type RotationResult, rotateRefreshToken } from "../sessions/refresh-tokens.store.ts";
import {
  type OpenSession,
  endSession,
  extendSession,
  firstFactorMethods,
  refuseDemoAccount,
} from "../sessions/sessions.store.ts";
import { isSuspended } from "../store.ts";
import type { AccountContext } from "./context.ts";

type Context = Pick<AccountContext, "services" | "site">;

/** Renews a session. A copied token ends the session (`refresh_token_already_used`), and its owner is notified. */
export async function renewSession(context: Context, refreshToken: string): Promise<OpenSession> {
  const renewed = await renew(context, refreshToken);
  if (!(renewed instanceof AuthError)) return renewed;
  if (renewed.code === "refresh_token_already_used") context.services.wake();
  throw renewed;
}

/** Failures are returned, not thrown, because their changes must be committed. */
const renew = ({ services, site }: Context, presented: string): Promise<OpenSession | AuthError> =>
  services.database.transaction(async (tx) => {
    const turn = await rotateRefreshToken(tx, services, presented);
    if (turn.outcome === "unknown") return new AuthError("refresh_token_not_found");
    const session = await readSession(tx, turn.sessionId);
    if (!session || session.not_after <= services.realClock.now()) return new AuthError("session_expired");
    if (turn.outcome === "theft") {
      await endStolenSession(tx, site, session);
      return new AuthError("refresh_token_already_used");
    }
    if (session.deleted_at) return new AuthError("refresh_token_not_found");
    if (isSuspended(session, services.realClock.now())) return new AuthError("user_banned");
    refuseDemoAccount(services, session.email);
    await extendSession(tx, services, session);
    return openedBy(turn, session);
  });

function openedBy(turn: Extract<RotationResult, { outcome: "ok" }>, session: RenewedSession): OpenSession {
  const { token: refreshToken, unchanged } = turn;
  const amr = amrShape.parse(session.amr);
  const open = { sessionId: session.id, userId: session.user_id, refreshToken, unchanged };
  if (turn.aal === "aal2" && session.aal === "aal2") return { ...open, aal: "aal2", amr };
  return { ...open, aal: "aal1", amr: firstFactorMethods(amr) };
}

/** Ends the session for both clients, because it is unknown which one is the thief, and notifies its owner by email. */
async function endStolenSession(tx: Tx, site: string, session: RenewedSession): Promise<void> {
  await endSession(tx, session.user_id, session.id);
  await recordActivity(tx, {
    type: "system",
    refId: session.user_id,
    message: "A session was ended because a copy of its token was used",
    actorId: session.user_id,
  });
  const { email, email_confirmed_at: proven, deleted_at: deleted, user_agent: userAgent } = session;
  if (email && proven && !deleted) await sendSessionStolen(tx, site, email, userAgent ? deviceName(userAgent) : null);
}

type RenewedSession = NonNullable<Awaited<ReturnType<typeof readSession>>>;

const readSession = (tx: Tx, id: string) =>
  tx
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.id",
      "sessions.user_id",
      "sessions.aal",
      "sessions.amr",
      "sessions.created_at",
      "sessions.not_after",
      "sessions.user_agent",
      "users.email",
      "users.email_confirmed_at",
      "users.banned_until",
      "users.deleted_at",
    ])
    .where("sessions.id", "=", id)
    .executeTakeFirst();
