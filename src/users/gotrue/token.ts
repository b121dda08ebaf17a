/** Signing in with a password, and going on with a refresh token. */
import { z } from "zod";
import { record } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { deviceName } from "../sessions/device-name.ts";
import { AuthError } from "../auth-errors.ts";
import { sendSessionStolen } from "../emails.ts";
import { passwordMatches } from "../providers/local/passwords.ts";
import { passwordLength } from "../rules.ts";
import {
  type OpenSession,
  amrShape,
  endSession,
  firstFactorMethods,
  extendSession,
} from "../sessions/sessions.store.ts";
import { type RotationResult, rotateRefreshToken } from "../sessions/refresh-tokens.store.ts";
import { type AuthCall, readBody, requireEmail, requirePhone } from "./call.ts";
import { readRefreshCookie } from "./cookies.ts";
import { countOpenedSession, countSignInAttempt } from "../verification/attempt-limits.ts";
import { replaceSession } from "./replace-session.ts";
import { presentSession } from "./present.ts";
import { failWithMinimumResponseTime } from "./minimum-response-time.ts";

/** POST /token */
export async function token(call: AuthCall) {
  const grant = call.query["grant_type"];
  if (grant === "password") return signInWithPassword(call);
  if (grant === "refresh_token") return refresh(call);
  if (grant && ["pkce", "id_token", "web3"].includes(grant)) throw new AuthError("not_served");
  throw new AuthError("validation_failed", "unsupported_grant_type");
}

const passwordShape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
});

/** Milliseconds whose multiples a refused password takes. */
const minimumResponseMs = 100;

async function signInWithPassword(call: AuthCall) {
  const body = readBody(call, passwordShape);
  const open = await failWithMinimumResponseTime(call.services, minimumResponseMs, () => openByPassword(call, body));
  return presentSession(call, open);
}

async function openByPassword(call: AuthCall, body: z.infer<typeof passwordShape>): Promise<OpenSession> {
  if (body.email && body.phone)
    throw new AuthError("validation_failed", "Only an email address or phone number should be provided on login.");
  if (!body.email && !body.phone) throw new AuthError("validation_failed", "missing email or phone");
  const typed = body.email
    ? ({ column: "email", value: requireEmail(body.email) } as const)
    : ({ column: "phone", value: requirePhone(body.phone) } as const);
  const { db, transaction } = call.services.database;
  const user = await db
    .selectFrom("users")
    .select(["id", "password_hash", "idle_sign_up_hash", "email_confirmed_at", "phone_confirmed_at", "banned_until"])
    .where((where) =>
      where(typed.column === "email" ? where.fn<string>("lower", ["email"]) : where.ref("phone"), "=", typed.value),
    )
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const attempt = await countSignInAttempt(call, typed);
  const password = (body.password ?? "").slice(0, passwordLength.max + 1);
  const isRight = await passwordMatches(call.services, user?.password_hash, password);
  const isProven = Boolean(typed.column === "email" ? user?.email_confirmed_at : user?.phone_confirmed_at);
  if (!isRight || !isProven || !user) {
    // Always the second comparison, and nothing taken back of the count: neither time nor limits tell the cases apart.
    const signedUpIdly = await passwordMatches(
      call.services,
      typed.column === "email" ? user?.idle_sign_up_hash : null,
      password,
    );
    if (!isRight && !signedUpIdly) throw new AuthError("invalid_credentials");
    throw new AuthError(typed.column === "email" ? "email_not_confirmed" : "phone_not_confirmed");
  }
  await attempt.succeeded();
  if (user.banned_until && user.banned_until > call.services.clock.now()) throw bannedHere();
  await countOpenedSession(call, user.id);
  return transaction(async (tx) => {
    const { password_hash } = await tx
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", user.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (password_hash !== user.password_hash) throw new AuthError("invalid_credentials");
    return replaceSession(tx, call, user.id, "password");
  });
}

/** The protocol says 400 at this endpoint, and 403 elsewhere. */
const bannedHere = () => new AuthError("user_banned", undefined, {}, 400);

const refreshShape = z.object({ refresh_token: z.string().max(400).nullish() });

async function refresh(call: AuthCall) {
  const presented = call.cookieMode ? readRefreshCookie(call) : readBody(call, refreshShape).refresh_token;
  const renewed = presented ? await renew(call, presented) : new AuthError("refresh_token_not_found");
  if (renewed instanceof AuthError) {
    if (renewed.code === "refresh_token_already_used") call.services.wake();
    // The cookies stay: when this answer arrives, the browser may hold another session's. A dead token opens nothing.
    throw renewed;
  }
  return presentSession(call, renewed);
}

/** Renews the session of a refresh token. Failures are returned, not thrown: what they changed must be kept. */
const renew = ({ services, site }: AuthCall, presented: string): Promise<OpenSession | AuthError> =>
  services.database.transaction(async (tx) => {
    const turn = await rotateRefreshToken(tx, services, presented);
    if (turn.outcome === "unknown") return new AuthError("refresh_token_not_found");
    const session = await readSession(tx, turn.sessionId);
    if (!session || session.not_after <= services.clock.now()) return new AuthError("session_expired");
    if (turn.outcome === "theft") {
      await endStolenSession(tx, site, session);
      return new AuthError("refresh_token_already_used");
    }
    if (session.deleted_at) return new AuthError("refresh_token_not_found");
    if (session.banned_until && session.banned_until > services.clock.now()) return bannedHere();
    await extendSession(tx, services, session);
    return openedBy(turn, session);
  });

/** The session as far as the presented token may carry it. */
function openedBy(turn: Extract<RotationResult, { outcome: "ok" }>, session: RenewedSession): OpenSession {
  const { token: refreshToken, unchanged } = turn;
  const amr = amrShape.parse(session.amr);
  const open = { sessionId: session.id, userId: session.user_id, refreshToken, unchanged };
  if (turn.aal === "aal2" && session.aal === "aal2") return { ...open, aal: "aal2", amr };
  return { ...open, aal: "aal1", amr: firstFactorMethods(amr) };
}

/** Nobody can say who of the two is the thief: the session ends for both, and its owner is notified by email. */
async function endStolenSession(tx: Tx, site: string, session: RenewedSession): Promise<void> {
  await endSession(tx, session.user_id, session.id);
  await record(tx, {
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
