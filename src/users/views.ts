import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { Me } from "./api.ts";
import { hasVerifiedFactor } from "./mfa/factors.views.ts";

export async function readMe(
  reader: Reader,
  actor: Actor,
  mode: { demo: boolean; hosted: boolean; now: Date },
): Promise<Me> {
  const row = await reader
    .selectFrom("users")
    .select((select) => [
      "phone",
      "created_at",
      "hosted_factor",
      sql<boolean>`password_hash is not null`.as("has_password"),
      hasVerifiedFactor.as("has_factor"),
      select
        .exists(
          select
            .selectFrom("admin_requests")
            .select("user_id")
            .whereRef("admin_requests.user_id", "=", "users.id")
            .where("decided_at", "is", null),
        )
        .as("asks_for_admin"),
      select
        .exists(
          select
            .selectFrom("operator_tokens")
            .select("hash")
            .where("purpose", "=", "first_admin")
            .where("used_at", "is", null)
            .where("expires_at", ">", mode.now),
        )
        .as("first_admin_token_waits"),
    ])
    .where("id", "=", actor.userId)
    .executeTakeFirst();
  if (!row) throw notFound("This account no longer exists.");
  const hasSecondFactor = row.hosted_factor || Boolean(row.has_factor);
  return {
    id: actor.userId,
    name: actor.name,
    email: actor.email,
    emailVerified: actor.emailVerified,
    phone: row.phone,
    role: actor.role,
    assuranceLevel: actor.aal,
    hasPassword: mode.hosted || row.has_password,
    hasSecondFactor,
    shouldSetUpSecondFactor: actor.role === "admin" && !mode.demo && !hasSecondFactor,
    adminRequestPending: Boolean(row.asks_for_admin),
    hosted: mode.hosted,
    firstAdminTokenWaits: Boolean(row.first_admin_token_waits),
    createdAt: row.created_at,
  };
}
