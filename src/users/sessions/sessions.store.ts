import { updateById, json, type Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { addressBlock } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastAccessChange } from "../change-notifications.ts";
import { lifetimes } from "../rules.ts";
import { type AssuranceLevel, type AmrEntry, amrShape } from "./access-tokens.ts";
import { rememberNetwork } from "./known-networks.store.ts";
import { firstRefreshToken, upgradedRefreshToken, downgradeRefreshTokens } from "./refresh-tokens.store.ts";

/** `ip` is empty if unknown. */
export type Device = { userAgent: string | null; ip: string };

/** An opened session. Its refresh token can only be returned now. */
export type OpenSession = {
  sessionId: string;
  userId: string;
  aal: AssuranceLevel;
  amr: readonly AmrEntry[];
  refreshToken: string;
  unchanged?: boolean;
};

export type AmrMethod =
  | "password"
  | "otp"
  | "recovery"
  | "totp"
  | "recovery_code"
  | "passkey"
  | "mfa/webauthn"
  | "email/signup"
  | "magiclink"
  | "email_change"
  | "oidc";

const amrEntry = (method: AmrMethod, now: Date): AmrEntry => ({ method, timestamp: Math.floor(now.getTime() / 1000) });

/** The accounts of the demo market, whose passwords are public. A data folder that once ran in demo mode has them. */
const demoAddress = /@demo\.test$/i;

export const isRefusedDemoAccount = ({ config }: PlatformServices, email: string | null): boolean =>
  !config.demo && demoAddress.test(email ?? "");

export function refuseDemoAccount(services: PlatformServices, email: string | null): void {
  if (isRefusedDemoAccount(services, email))
    throw new Problem("forbidden", "The accounts of the demo market cannot sign in outside demo mode.");
}

export async function openSession(
  tx: Tx,
  services: PlatformServices,
  userId: string,
  method: AmrMethod,
  device: Device,
): Promise<OpenSession> {
  const now = services.realClock.now();
  const amr = [amrEntry(method, now)];
  const block = addressBlock(device.ip);
  const { id } = await tx
    .insertInto("sessions")
    .values({
      user_id: userId,
      amr: json(amr),
      user_agent: device.userAgent?.slice(0, 400) ?? null,
      ip: device.ip || null,
      ip_block: block || null,
      created_at: now,
      refreshed_at: now,
      not_after: new Date(now.getTime() + lifetimes.sessionIdle * 1000),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { email } = await tx
    .updateTable("users")
    .set({ last_sign_in_at: now })
    .where("id", "=", userId)
    .returning("email")
    .executeTakeFirstOrThrow();
  refuseDemoAccount(services, email);
  if (block) await rememberNetwork(tx, services, { userId, block, secondFactor: false });
  return { sessionId: id, userId, aal: "aal1", amr, refreshToken: await firstRefreshToken(tx, id, now) };
}

/** Extends the session: 30 days from its last use, at most 180 days. */
export async function extendSession(tx: Tx, services: PlatformServices, session: { id: string; created_at: Date }) {
  const now = services.realClock.now().getTime();
  const end = Math.min(
    now + lifetimes.sessionIdle * 1000,
    session.created_at.getTime() + lifetimes.sessionAtMost * 1000,
  );
  await updateById(tx, "sessions", session.id, { refreshed_at: new Date(now), not_after: new Date(end) });
}

/** Raises the session to aal2 after a second factor, and starts a new family of tokens. */
export async function upgradeSession(
  tx: Tx,
  services: PlatformServices,
  session: { id: string; userId: string; amr: readonly AmrEntry[] },
  method: AmrMethod,
): Promise<OpenSession> {
  const now = services.realClock.now();
  const amr = [...session.amr.filter((one) => one.method !== method), amrEntry(method, now)];
  const { ip_block: block } = await tx
    .updateTable("sessions")
    .set({ aal: "aal2", amr: json(amr) })
    .where("id", "=", session.id)
    .returning("ip_block")
    .executeTakeFirstOrThrow();
  if (block) await rememberNetwork(tx, services, { userId: session.userId, block, secondFactor: true });
  await broadcastAccessChange(tx, session.userId);
  return {
    sessionId: session.id,
    userId: session.userId,
    aal: "aal2",
    amr,
    refreshToken: await upgradedRefreshToken(tx, session.id, now),
  };
}

export const recordReauthentication = (tx: Tx, sessionId: string, now: Date) =>
  updateById(tx, "sessions", sessionId, { reauthenticated_at: now });

const secondFactors = new Set(["totp", "recovery_code", "mfa/webauthn"]);

export const firstFactorMethods = (amr: readonly AmrEntry[]): readonly AmrEntry[] =>
  amr.filter((one) => !secondFactors.has(one.method));

const noSession = "00000000-0000-0000-0000-000000000000";

/** Downgrades a user's sessions after a second factor was removed. `except` retains its level. */
export async function downgradeSessions(tx: Tx, userId: string, except: string = noSession): Promise<void> {
  const weakened = await tx
    .selectFrom("sessions")
    .select(["id", "amr"])
    .where("user_id", "=", userId)
    .where("aal", "=", "aal2")
    .where("id", "<>", except)
    .forUpdate()
    .execute();
  if (weakened.length === 0) return;
  for (const { id, amr } of weakened) {
    const left = json(firstFactorMethods(amrShape.parse(amr)));
    await updateById(tx, "sessions", id, { aal: "aal1", amr: left });
  }
  await downgradeRefreshTokens(
    tx,
    weakened.map(({ id }) => id),
  );
}

export const logoutScopes = ["local", "others", "global"] as const;
export type LogoutScope = (typeof logoutScopes)[number];

/** Ends this session, the others, or all. Tokens are invalid at the next request, streams end at the commit. Returns the number. */
export async function endSessions(tx: Tx, userId: string, scope: LogoutScope, current: string = noSession) {
  let ended = tx.deleteFrom("sessions").where("user_id", "=", userId);
  if (scope !== "global") ended = ended.where("id", scope === "local" ? "=" : "<>", current);
  const rows = await ended.returning(["id", "user_id", "not_after"]).execute();
  await storeEndedSession(tx, rows);
  if (rows.length > 0) await broadcastAccessChange(tx, userId);
  return rows.length;
}

/** Returns false if the session has ended already, or is another user's. */
export const endSession = async (tx: Tx, userId: string, sessionId: string): Promise<boolean> =>
  (await endSessions(tx, userId, "local", sessionId)) > 0;

type EndedRow = { id: string; user_id: string; not_after: Date };

/** A hosted service would restore an ended session. A stored mark refuses it for users of such a service. */
async function storeEndedSession(tx: Tx, rows: readonly EndedRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const hosted = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", first.user_id)
    .where("hosted_seen_at", "is not", null)
    .executeTakeFirst();
  if (!hosted) return;
  const marks = rows.map(({ id, user_id, not_after }) => ({
    id,
    user_id,
    expires_at: new Date(not_after.getTime() + lifetimes.sessionAtMost * 1000),
  }));
  await tx
    .insertInto("ended_sessions")
    .values(marks)
    .onConflict((on) => on.doNothing())
    .execute();
}

export async function deleteExpiredSessions(tx: Tx, now: Date): Promise<void> {
  const ended = await tx.deleteFrom("sessions").where("not_after", "<", now).returning("user_id").execute();
  for (const userId of new Set(ended.map((session) => session.user_id))) await broadcastAccessChange(tx, userId);
}
