import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { hasVerifiedFactor } from "./mfa/factors.views.ts";

export async function readMe(reader: Reader, actor: Actor, mode: { demo: boolean; hosted: boolean; now: Date }) {
  const { userId: id, name, email, emailVerified, role, aal: assuranceLevel } = actor;
  const row = await reader
    .selectFrom("users")
    .select(["phone", "created_at as createdAt"])
    .select([
      sql<boolean>`password_hash is not null`.as("hasPassword"),
      sql<boolean>`hosted_factor or ${hasVerifiedFactor}`.as("hasSecondFactor"),
      sql<boolean>`exists (
        select from admin_requests r where r.user_id = users.id and r.decided_at is null)`.as("adminRequestPending"),
      sql<boolean>`exists (
        select from operator_tokens t
        where t.purpose = 'first_admin' and t.used_at is null and t.expires_at > ${mode.now})`.as(
        "firstAdminTokenWaits",
      ),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("This account no longer exists.");
  return {
    id,
    name,
    email,
    emailVerified,
    role,
    assuranceLevel,
    ...row,
    hasPassword: mode.hosted || row.hasPassword,
    shouldSetUpSecondFactor: role === "admin" && !mode.demo && !row.hasSecondFactor,
    hosted: mode.hosted,
  };
}
