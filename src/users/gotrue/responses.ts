import type { Selectable } from "kysely";
import { z } from "zod";
import type { DB, Reader } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { lifetimes } from "../rules.ts";
import { signAccessToken } from "../sessions/access-tokens.ts";
import type { OpenSession } from "../sessions/sessions.store.ts";
import type { AuthCall } from "./call.ts";
import { cookiePlaceholder, setRefreshCookie } from "./cookies.ts";

const metadataShape = z.record(z.string(), z.unknown()).catch({});

type Factor = Pick<
  Selectable<DB["factors"]>,
  "id" | "kind" | "friendly_name" | "status" | "created_at" | "updated_at" | "last_used_at"
>;

export async function toUserResponse(reader: Reader, userId: string) {
  const user = await reader
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .selectAll("users")
    .select("profiles.name as profile_name")
    .where("users.id", "=", userId)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  if (!user) throw new AuthError("user_not_found");
  const factors = await reader
    .selectFrom("factors")
    .select(["id", "kind", "friendly_name", "status", "created_at", "updated_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const email = user.email ?? "";
  return {
    id: user.id,
    aud: "authenticated",
    role: "authenticated",
    email,
    ...(user.email_confirmed_at
      ? { email_confirmed_at: user.email_confirmed_at, confirmed_at: user.email_confirmed_at }
      : {}),
    phone: user.phone ?? "",
    ...(user.phone_confirmed_at ? { phone_confirmed_at: user.phone_confirmed_at } : {}),
    ...(user.new_email ? { new_email: user.new_email } : {}),
    ...(user.new_phone ? { new_phone: user.new_phone } : {}),
    ...(user.last_sign_in_at ? { last_sign_in_at: user.last_sign_in_at } : {}),
    app_metadata: { provider: "email", providers: ["email"], has_password: user.password_hash !== null },
    user_metadata: { ...metadataShape.parse(user.user_metadata), name: user.profile_name ?? email },
    identities: [identity(user.id, email, user.email_confirmed_at !== null, user)],
    factors: factors.map(toFactorResponse),
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  };
}

type Times = { created_at: Date; last_sign_in_at: Date | null };

const identity = (userId: string, email: string, verified: boolean, times: Times) => ({
  identity_id: userId,
  id: userId,
  user_id: userId,
  identity_data: { sub: userId, email, email_verified: verified, phone_verified: false },
  provider: "email",
  email,
  created_at: times.created_at,
  updated_at: times.created_at,
  last_sign_in_at: times.last_sign_in_at ?? times.created_at,
});

const toFactorResponse = (factor: Factor) => ({
  id: factor.id,
  friendly_name: factor.friendly_name,
  factor_type: factor.kind === "passkey" ? "webauthn" : "totp",
  status: factor.status,
  ...(factor.last_used_at ? { last_challenged_at: factor.last_used_at } : {}),
  created_at: factor.created_at,
  updated_at: factor.updated_at,
});

/** Returns the response to a sign-up, made only from the input: it is the same for a known and an unknown address. */
export function toSignUpResponse(services: PlatformServices, email: string, metadata: Record<string, unknown>) {
  const at = services.realClock.now();
  const id = pseudonym(services.keys.hmac("sign-up answer", email));
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    confirmation_sent_at: at,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: metadata,
    identities: [identity(id, email, false, { created_at: at, last_sign_in_at: null })],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  };
}

function pseudonym(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export async function toSessionResponse(call: AuthCall, open: OpenSession) {
  const { services } = call.context;
  const { token, expiresAt } = await signAccessToken(services, open);
  if (call.cookieMode && !open.unchanged) setRefreshCookie(call, open.refreshToken);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: lifetimes.accessToken,
    expires_at: expiresAt,
    refresh_token: call.cookieMode ? cookiePlaceholder : open.refreshToken,
    user: await toUserResponse(services.database.db, open.userId),
  };
}
