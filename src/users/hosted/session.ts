/**
 * Sessions of a hosted GoTrue (GOTRUE_URL). Its token is checked by its published keys; whether the session still lives, the
 * proven address and the second factor are asked of the service at most once a minute. Role and suspension are ours.
 */
import { type JWTPayload, createRemoteJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import { z } from "zod";
import { json, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/outbox.ts";
import type { Floor } from "#platform/services.ts";
import { AuthFailure } from "../failures.ts";
import { type EmailVerified, fallbackRole, lifetimes, normalEmail, normalPhone, profileName } from "../rules.ts";
import { endSession } from "../sessions.ts";
import { signalAccess } from "../signals.ts";
import { type AccessClaims, assuranceLevels } from "../tokens/access.ts";

const trustSeconds = 60;
const claimsShape = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  aal: z.enum(assuranceLevels).catch("aal1"),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([]),
});
type Claims = z.infer<typeof claimsShape>;
const userShape = z.object({
  id: z.uuid(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
  factors: z.array(z.object({ status: z.string() })).nullish(),
});
type HostedUser = z.infer<typeof userShape>;

type Known = { checkedAt: number; hasFactor: boolean };
type Gateway = { keys: ReturnType<typeof createRemoteJWKSet>; known: Map<string, Known> };
const gateways = new WeakMap<Floor["database"], Gateway>();

/** The address of a call of the hosted service. */
export const hostedUrl = (services: Floor, path: string): string =>
  `${services.config.gotrueUrl?.replace(/\/+$/, "")}${path}`;

function gatewayOf(services: Floor): Gateway {
  let gateway = gateways.get(services.database);
  if (!gateway) {
    const keys = createRemoteJWKSet(new URL(hostedUrl(services, "/.well-known/jwks.json")), {
      cacheMaxAge: lifetimes.keyCache * 1000,
    });
    gateway = { keys, known: new Map() };
    gateways.set(services.database, gateway);
  }
  return gateway;
}

/** The token's claims, after the service has vouched for its session; the person and the session are written down as ours. */
export async function readHostedToken(services: Floor, token: string): Promise<AccessClaims & { hasFactor: boolean }> {
  const gateway = gatewayOf(services);
  const claims = await verifyToken(services, gateway, token);
  const key = `${claims.session_id} ${claims.aal}`;
  const now = services.clock.now().getTime();
  let known = gateway.known.get(key);
  if (!known || now - known.checkedAt > trustSeconds * 1000) {
    const user = await askUser(services, token, claims);
    known = { checkedAt: now, hasFactor: user.factors?.some((factor) => factor.status === "verified") ?? false };
    await services.database.transaction((tx) => writeDown(tx, services, user, claims));
    if (gateway.known.size > 10_000) gateway.known.clear();
    gateway.known.set(key, known);
  }
  return { userId: claims.sub, sessionId: claims.session_id, aal: claims.aal, hasFactor: known.hasFactor };
}

/** The person of a token that the service has just accepted hears that something about them has changed. */
export async function tellHosted(services: Floor, token: string | undefined): Promise<void> {
  const userId = z.uuid().safeParse(token && decodeJwt(token).sub).data;
  if (userId) await services.database.transaction((tx) => signalAccess(tx, userId));
}

/** Makes the next call of this session ask the service again: after a change that went through the gateway. */
export function forgetHosted(services: Floor, token: string | undefined): void {
  const sessionId = /"session_id":"([\da-f-]{36})"/.exec(
    Buffer.from(token?.split(".")[1] ?? "", "base64url").toString(),
  )?.[1];
  const { known } = gatewayOf(services);
  for (const key of known.keys()) if (sessionId && key.startsWith(sessionId)) known.delete(key);
}

async function verifyToken(services: Floor, gateway: Gateway, token: string): Promise<Claims> {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, gateway.keys, {
      audience: "authenticated",
      algorithms: ["ES256", "RS256", "EdDSA"],
      currentDate: services.clock.now(),
    }));
  } catch (error) {
    if (error instanceof errors.JWKSTimeout) throw new AuthFailure("hosted_unreachable");
    if (error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC") throw new AuthFailure("bad_jwt");
    throw new AuthFailure(
      error instanceof errors.JOSEError || error instanceof TypeError ? "hosted_unreachable" : "bad_jwt",
    );
  }
  const claims = claimsShape.safeParse(payload);
  if (!claims.success) throw new AuthFailure("bad_jwt");
  return claims.data;
}

async function askUser(services: Floor, token: string, claims: Claims): Promise<HostedUser> {
  const answer = await fetch(hostedUrl(services, "/user"), {
    headers: { authorization: `Bearer ${token}`, "x-supabase-api-version": "2024-01-01" },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  if (!answer || answer.status >= 500) throw new AuthFailure("hosted_unreachable");
  const user = answer.ok ? userShape.safeParse(await answer.json()) : undefined;
  if (user?.success && user.data.id === claims.sub) return user.data;
  await services.database.transaction((tx) => endSession(tx, claims.sub, claims.session_id));
  throw new AuthFailure("session_not_found");
}

/** The hosted service has the last word on addresses: somebody of ours who still holds one loses it until seen again. */
async function writeDown(tx: Tx, services: Floor, user: HostedUser, claims: Claims): Promise<void> {
  const now = services.clock.now();
  const email = normalEmail(user.email) ?? null;
  const phone = normalPhone(user.phone) ?? null;
  const confirmedAt = user.email_confirmed_at && email ? now : null;
  const before = await tx
    .selectFrom("users")
    .select(["email", "email_confirmed_at", "deleted_at"])
    .where("id", "=", user.id)
    .forUpdate()
    .executeTakeFirst();
  if (before?.deleted_at) throw new AuthFailure("session_not_found");
  if (email)
    await tx
      .updateTable("users")
      .set({ email: null, email_confirmed_at: null })
      .where((where) => where(where.fn<string>("lower", ["email"]), "=", email))
      .where("id", "<>", user.id)
      .where("deleted_at", "is", null)
      .execute();
  if (phone)
    await tx
      .updateTable("users")
      .set({ phone: null })
      .where("phone", "=", phone)
      .where("id", "<>", user.id)
      .where("deleted_at", "is", null)
      .execute();
  const values = {
    email,
    phone,
    email_confirmed_at: confirmedAt && (before?.email_confirmed_at ?? confirmedAt),
    user_metadata: json(user.user_metadata),
    updated_at: now,
  };
  await tx
    .insertInto("users")
    .values({ id: user.id, created_at: now, ...values })
    .onConflict((on) => on.column("id").doUpdateSet(values))
    .execute();
  const shown = email ?? user.phone ?? "New user";
  await tx
    .insertInto("profiles")
    .values({
      user_id: user.id,
      email: email ?? "",
      name: profileName(user.user_metadata, shown),
      role: fallbackRole,
      created_at: now,
    })
    .onConflict((on) => on.column("user_id").doUpdateSet({ email: email ?? "" }))
    .execute();
  const session = {
    aal: claims.aal,
    amr: json(claims.amr),
    refreshed_at: now,
    not_after: new Date(now.getTime() + lifetimes.sessionIdle * 1000),
  };
  await tx
    .insertInto("sessions")
    .values({ id: claims.session_id, user_id: user.id, created_at: now, ...session })
    .onConflict((on) => on.column("id").doUpdateSet(session))
    .execute();
  const isNews = confirmedAt && email && (before?.email !== email || !before.email_confirmed_at);
  if (isNews) await publish(tx, "user.email_verified", { userId: user.id, email } satisfies EmailVerified);
}
