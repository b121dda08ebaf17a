import { sql } from "kysely";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { authProvider } from "../providers/provider-choice.ts";
import { type Role, fallbackRole, profileName, roles } from "../rules.ts";
import { type AccessTokenClaims, type AssuranceLevel, type AmrEntry, amrShape } from "../sessions/access-tokens.ts";
import { insertMissingProfile, isSuspended } from "../store.ts";

export type AuthenticatedSession = Readonly<{
  userId: string;
  sessionId: string;
  role: Role;
  name: string;
  email: string;
  emailVerified: boolean;
  phone: string | null;
  aal: AssuranceLevel;
  amr: readonly AmrEntry[];
  sessionCreatedAt: Date;
  hasFactor: boolean;
}>;

type Row = {
  user_id: string;
  session_id: string;
  email: string | null;
  email_confirmed_at: Date | null;
  phone: string | null;
  banned_until: Date | null;
  user_metadata: unknown;
  not_after: Date;
  created_at: Date;
  aal: AssuranceLevel;
  amr: unknown;
  role: string | null;
  name: string | null;
  has_factor: boolean;
};

/** Reads the session that a token names. Throws bad_jwt, session_not_found or user_banned. */
export async function requireSession(
  services: PlatformServices,
  bearer: string | undefined,
): Promise<AuthenticatedSession> {
  if (!bearer) throw new AuthError("no_authorization");
  return sessionOf(services, await authProvider(services).readAccessToken(bearer));
}

async function sessionOf(services: PlatformServices, claims: AccessTokenClaims): Promise<AuthenticatedSession> {
  const { rows } = await sql<Row>`
    select u.id as user_id, s.id as session_id, u.email, u.email_confirmed_at, u.phone, u.banned_until,
           u.user_metadata, s.not_after, s.created_at, s.aal, s.amr, p.role, p.name,
           u.hosted_factor or exists (select from factors f where f.user_id = u.id and f.status = 'verified') as has_factor
    from sessions s join users u on u.id = s.user_id left join profiles p on p.user_id = u.id
    where s.id = ${claims.sessionId} and s.user_id = ${claims.userId} and u.deleted_at is null
      and not exists (select from ended_sessions e where e.id = s.id)`.execute(services.database.db);
  const row = rows[0];
  const now = services.realClock.now();
  if (!row)
    throw new AuthError((await isUserSuspended(services, claims.userId, now)) ? "user_banned" : "session_not_found");
  if (row.not_after <= now) throw new AuthError("session_not_found");
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
    sessionCreatedAt: row.created_at,
    hasFactor: row.has_factor,
  };
}

/** A suspension ends every session. The caller gets the reason instead of session_not_found. */
const isUserSuspended = async (services: PlatformServices, userId: string, now: Date): Promise<boolean> =>
  (await services.database.db
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .where("banned_until", ">", now)
    .executeTakeFirst()) !== undefined;

/** A user without a profile row gets one as promoter (specification, section 6). */
async function makeMissingProfile(services: PlatformServices, row: Row): Promise<{ role: string; name: string }> {
  const email = row.email ?? "";
  const name = profileName(row.user_metadata, email || (row.phone ?? "New user"));
  const now = services.realClock.now();
  return services.database.transaction((tx) =>
    insertMissingProfile(tx, { userId: row.user_id, email, name, role: fallbackRole, now }),
  );
}

/** Throws `insufficient_aal` if the account has a verified second factor and the session lacks it. */
export function requireSecondFactor(session: AuthenticatedSession): AuthenticatedSession {
  if (session.hasFactor && session.aal !== "aal2") throw new AuthError("insufficient_aal");
  return session;
}
