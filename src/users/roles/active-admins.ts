import type { Reader } from "#platform/db/index.ts";

export type ActiveAdmin = { id: string; email: string };

/** Returns the admins who can sign in, oldest first. They get alarms, and one of them must always remain. */
export async function activeAdmins(reader: Reader, now: Date): Promise<ActiveAdmin[]> {
  const rows = await reader
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.id", "users.email"])
    .where("profiles.role", "=", "admin")
    .where("users.deleted_at", "is", null)
    .where("users.email_confirmed_at", "is not", null)
    .where((eb) => eb.or([eb("users.banned_until", "is", null), eb("users.banned_until", "<=", now)]))
    .orderBy("users.created_at")
    .orderBy("users.id")
    .execute();
  return rows.flatMap(({ id, email }) => (email ? [{ id, email }] : []));
}
