import { z } from "zod";
import { updateById, json, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { addressBlock } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../../auth-errors.ts";
import { broadcastAccountChange } from "../../change-notifications.ts";
import { insertAdminRequest } from "../../roles/roles.store.ts";
import {
  type EmailVerified,
  grantedRole,
  lifetimes,
  normalizeEmail,
  normalizePhone,
  profileName,
} from "../../rules.ts";
import type { AssuranceLevel, AmrEntry } from "../../sessions/access-tokens.ts";
import { lowerEmail, recordFormerEmail } from "../../store.ts";
import { autoconfirms } from "./client.ts";

export const hostedUserShape = z.object({
  id: z.uuid(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  factors: z.array(z.object({ status: z.string() })).nullish(),
});
type HostedUser = z.infer<typeof hostedUserShape>;
export type FetchedUser = HostedUser & Readonly<{ requestedAt: Date }>;
export type SessionOrigin = Readonly<{ userAgent: string | null; ip: string | null }>;
type HostedSession = Readonly<{ id: string; aal: AssuranceLevel; amr: readonly AmrEntry[] }>;

/** Creates a profile for a new user with the role of the sign-up (admin becomes a request). A user who was requested before the stored one changes only the session. Throws for a deleted account. */
export async function syncAccount(
  services: PlatformServices,
  user: FetchedUser,
  session: HostedSession,
  origin: SessionOrigin,
): Promise<void> {
  const proves = Boolean(user.email_confirmed_at) && !(await autoconfirms(services));
  await services.database.transaction(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .select(["email", "email_confirmed_at", "deleted_at", "hosted_seen_at"])
      .where("id", "=", user.id)
      .forUpdate()
      .executeTakeFirst();
    if (before?.deleted_at) throw new AuthError("user_not_found", "This account was deleted here.");
    const now = services.realClock.now();
    if (before?.hosted_seen_at && before.hosted_seen_at > user.requestedAt)
      return writeSession(tx, user.id, session, origin, now);
    const email = await holdEmail(tx, user, proves);
    const provenAt = proves && email ? (sameEmail(before, email) ?? now) : null;
    await writeUser(tx, user, { email, provenAt, now });
    await writeProfile(tx, services, user, email);
    await writeSession(tx, user.id, session, origin, now);
    if (!provenAt || !email || sameEmail(before, email)) return;
    const former = before?.email === email ? undefined : await recordFormerEmail(tx, user.id, before);
    await publish(tx, "user.email_verified", {
      userId: user.id,
      email,
      ...(former && { former }),
    } satisfies EmailVerified);
  });
}

type Before = { email: string | null; email_confirmed_at: Date | null } | undefined;

const sameEmail = (before: Before, email: string): Date | null =>
  before?.email === email ? before.email_confirmed_at : null;

/** The service decides who has a verified address: another local account with it loses it. An unverified one changes nothing. */
async function holdEmail(tx: Tx, user: HostedUser, proves: boolean): Promise<string | null> {
  const email = normalizeEmail(user.email);
  if (!email) return null;
  const owner = await tx
    .selectFrom("users")
    .select("id")
    .where(lowerEmail, "=", email)
    .where("id", "<>", user.id)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!owner) return email;
  if (!proves) return null;
  await updateById(tx, "users", owner.id, { email: null, email_confirmed_at: null });
  return email;
}

type Written = { email: string | null; provenAt: Date | null; now: Date };

async function writeUser(tx: Tx, user: FetchedUser, { email, provenAt, now }: Written): Promise<void> {
  const phone = normalizePhone(user.phone) ?? null;
  if (phone)
    await tx
      .updateTable("users")
      .set({ phone: null, phone_confirmed_at: null })
      .where("phone", "=", phone)
      .where("id", "<>", user.id)
      .where("deleted_at", "is", null)
      .execute();
  const values = {
    email,
    phone,
    email_confirmed_at: provenAt,
    user_metadata: json(user.user_metadata ?? {}),
    hosted_seen_at: user.requestedAt,
    hosted_factor: user.factors?.some((factor) => factor.status === "verified") ?? false,
    updated_at: now,
  };
  await tx
    .insertInto("users")
    .values({ id: user.id, created_at: now, ...values })
    .onConflict((on) => on.column("id").doUpdateSet(values))
    .execute();
}

async function writeProfile(tx: Tx, services: PlatformServices, user: HostedUser, email: string | null): Promise<void> {
  const now = services.realClock.now();
  const { role, requestsAdmin } = grantedRole(user.user_metadata?.["role"], services.config.demo);
  const name = profileName(user.user_metadata, email ?? user.phone ?? "New user");
  const made = await tx
    .insertInto("profiles")
    .values({ user_id: user.id, email: email ?? "", name, role, created_at: now })
    .onConflict((on) => on.column("user_id").doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (made && requestsAdmin) await insertAdminRequest(tx, user.id, now);
  if (made) await broadcastAccountChange(tx, user.id);
  if (!made)
    await tx
      .updateTable("profiles")
      .set({ email: email ?? "" })
      .where("user_id", "=", user.id)
      .execute();
}

/** A renewal of the token is not an authentication, but the service may list it as one. */
const isProof = (one: AmrEntry) => one.method !== "token_refresh";

async function writeSession(tx: Tx, userId: string, session: HostedSession, origin: SessionOrigin, now: Date) {
  const ended = await tx.selectFrom("ended_sessions").select("id").where("id", "=", session.id).executeTakeFirst();
  if (ended) throw new AuthError("session_not_found");
  const values = {
    aal: session.aal,
    amr: json(session.amr.filter(isProof)),
    refreshed_at: now,
    checked_at: now,
    not_after: new Date(now.getTime() + lifetimes.sessionIdle * 1000),
  };
  const from = {
    user_agent: origin.userAgent?.slice(0, 400) ?? null,
    ip: origin.ip || null,
    ip_block: origin.ip ? addressBlock(origin.ip) : null,
  };
  await tx
    .insertInto("sessions")
    .values({ id: session.id, user_id: userId, created_at: now, ...from, ...values })
    .onConflict((on) => on.column("id").doUpdateSet(values).where("sessions.user_id", "=", userId))
    .execute();
}

export const markEndReported = (tx: Tx, sessionId: string) =>
  updateById(tx, "ended_sessions", sessionId, { notified: true });

export const requireSessionCheck = (tx: Tx, which: { column: "id" | "user_id"; value: string }) =>
  tx.updateTable("sessions").set({ checked_at: null }).where(which.column, "=", which.value).execute();
