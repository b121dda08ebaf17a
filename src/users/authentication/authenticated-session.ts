import type { Selectable } from "kysely";
import { type DB, firstRowOf, hasRow } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { reauthenticationNeeded } from "#platform/http/access.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import { type Actor, type Context, requireActor } from "#platform/http/context.ts";
import { passedUnlistedProxy } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { authProvider } from "../providers/provider-choice.ts";
import { fallbackRole, profileName, roles, lifetimes } from "../rules.ts";
import { type AccessTokenClaims, type AssuranceLevel, type AmrEntry, amrShape } from "../sessions/access-tokens.ts";
import { isRefusedDemoAccount, recordReauthentication } from "../sessions/sessions.store.ts";
import { insertMissingProfile, isSuspended } from "../store.ts";
import { type Origin, countSignInAttempt } from "../verification/attempt-limits.ts";

export type AuthenticatedSession = Actor &
  Readonly<{ phone: string | null; amr: readonly AmrEntry[]; hasFactor: boolean }>;

type Row = Pick<
  Selectable<DB["users"] & DB["sessions"]>,
  | "email"
  | "email_confirmed_at"
  | "phone"
  | "banned_until"
  | "user_metadata"
  | "not_after"
  | "amr"
  | "reauthenticated_at"
> & {
  user_id: string;
  session_id: string;
  aal: AssuranceLevel;
  role: string | null;
  name: string | null;
  has_factor: boolean;
};

/** Reads the session that a token names. Throws bad_jwt, session_not_found or user_banned. */
export async function requireSession(services: PlatformServices, bearer: string | undefined) {
  if (!bearer) throw new AuthError("no_authorization");
  return sessionOf(services, await authProvider(services).readAccessToken(bearer));
}

async function sessionOf(services: PlatformServices, claims: AccessTokenClaims): Promise<AuthenticatedSession> {
  const row = await firstRowOf<Row>(services.database.db)`
    select u.id as user_id, s.id as session_id, u.email, u.email_confirmed_at, u.phone, u.banned_until,
           u.user_metadata, s.not_after, s.aal, s.amr, s.reauthenticated_at, p.role, p.name,
           u.hosted_factor or exists (select from factors f where f.user_id = u.id and f.status = 'verified') as has_factor
    from sessions s join users u on u.id = s.user_id left join profiles p on p.user_id = u.id
    where s.id = ${claims.sessionId} and s.user_id = ${claims.userId} and u.deleted_at is null
      and not exists (select from ended_sessions e where e.id = s.id)`;
  const now = services.realClock.now();
  if (!row)
    throw new AuthError((await isUserSuspended(services, claims.userId, now)) ? "user_banned" : "session_not_found");
  if (row.not_after <= now || isRefusedDemoAccount(services, row.email)) throw new AuthError("session_not_found");
  if (isSuspended(row, now)) throw new AuthError("user_banned");
  const email = row.email ?? "";
  const profile =
    row.role === null ? await makeMissingProfile(services, row) : { role: row.role, name: row.name ?? email };
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    role: roles.find((role) => role === profile.role) ?? fallbackRole,
    name: profile.name,
    email,
    emailVerified: row.email_confirmed_at !== null,
    phone: row.phone,
    aal: authProvider(services).assuranceLevel(row.aal, claims.aal),
    amr: amrShape.parse(row.amr),
    hasFactor: row.has_factor,
    isRecent: isRecent(row, now),
  };
}

/** A suspension ends every session. The caller gets the reason instead of session_not_found. */
const isUserSuspended = (services: PlatformServices, userId: string, now: Date): Promise<boolean> =>
  hasRow(services.database.db)`
    select 1 from users where id = ${userId} and deleted_at is null and banned_until > ${now}`;

/** A user without a profile row gets one as promoter. */
async function makeMissingProfile(services: PlatformServices, row: Row): Promise<{ role: string; name: string }> {
  const email = row.email ?? "";
  const name = profileName(row.user_metadata, email || (row.phone ?? "New user"));
  const now = services.realClock.now();
  return services.database.transaction((tx) => insertMissingProfile(tx, { userId: row.user_id, email, name, now }));
}

/** Throws `insufficient_aal` if the account has a verified second factor and the session lacks it. */
export function requireSecondFactor(session: AuthenticatedSession): AuthenticatedSession {
  if (session.hasFactor && session.aal !== "aal2") throw new AuthError("insufficient_aal");
  return session;
}

export type ReauthenticationInput = { password?: string | undefined; code?: string | undefined };
type Who = Pick<Actor, "userId" | "sessionId" | "email">;

/** Required before changes of sign-in data, ends of other sessions and irreversible actions. Passes if the user authenticated in this session within five minutes, or does now by password or emailed code. Throws 403 `reauthentication_needed` without one, and 403 or 422 `reauthentication_not_valid` for a wrong one. Attempts are counted, a password's with those of sign-ins. */
async function requireRecentAuthentication(from: Origin, who: Who, given: ReauthenticationInput): Promise<void> {
  const { services, block } = from;
  if (given.password === undefined && given.code === undefined) {
    if (await isRecentlyAuthenticated(services, who.sessionId)) return;
    throw reauthenticationNeeded();
  }
  const provider = authProvider(services);
  if (given.password === undefined) await provider.verifyCode(who, block, given.code ?? "");
  else {
    const attempt = await countSignInAttempt(from, signInNameOf(who));
    await provider.verifyPassword(who, given.password);
    await attempt.succeeded();
  }
  await services.database.transaction((tx) => recordReauthentication(tx, who.sessionId, services.realClock.now()));
}

const signInNameOf = ({ email, userId }: Who) =>
  email === "" ? { column: "id" as const, value: userId } : { column: "email" as const, value: email.toLowerCase() };

/** The same for the caller of an API call. Returns the caller. */
export async function requireRecentActor(context: Context, given: ReauthenticationInput = {}): Promise<Actor> {
  const actor = requireActor(context);
  const { services, request } = context;
  const isShared = passedUnlistedProxy(Object.fromEntries(request.headers), request.ip, services.config.trustedProxies);
  await requireRecentAuthentication({ services, block: limitBlock(request), isShared }, actor, given);
  return actor;
}

/** The same under /auth/v1, with GoTrue's status (400) if nothing is given. */
export async function requireRecentCaller(from: Origin, who: Who, given: ReauthenticationInput): Promise<void> {
  try {
    await requireRecentAuthentication(from, who, given);
  } catch (error) {
    const isNeeded = error instanceof Problem && error.code === "reauthentication_needed";
    throw isNeeded ? new AuthError("reauthentication_needed", error.message) : error;
  }
}

/** Returns true if the newest sign-in method or reauthentication of the session is at most five minutes old. */
export async function isRecentlyAuthenticated(services: PlatformServices, sessionId: string): Promise<boolean> {
  const session = await services.database.db
    .selectFrom("sessions")
    .select(["amr", "reauthenticated_at"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return isRecent(session, services.realClock.now());
}

function isRecent(session: Pick<Row, "amr" | "reauthenticated_at"> | undefined, now: Date): boolean {
  const again = (session?.reauthenticated_at?.getTime() ?? 0) / 1000;
  const newest = Math.max(again, ...amrShape.parse(session?.amr).map((one) => one.timestamp));
  return now.getTime() / 1000 - newest <= lifetimes.recentAuthentication;
}
