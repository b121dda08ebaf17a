import { sql } from "kysely";
import type { Reader, Tx } from "#platform/db/index.ts";

type ActiveAdmin = { id: string; email: string };

/** Serializes changes that remove an admin, because each counts the remaining admins. */
export const lockAdmins = (tx: Tx) => sql`select pg_advisory_xact_lock(726173, 10)`.execute(tx);

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
