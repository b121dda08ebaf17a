/** Whose a verified mailbox is; other modules ask here instead of reading the tables of accounts. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";

/** The promoter's account behind a verified mailbox, whatever its case, as part of a statement; null when there is none. */
export const promoterIdByEmail = (email: string) => sql<string | null>`(
  select users.id from users join profiles on profiles.user_id = users.id
  where lower(users.email) = ${email.toLowerCase()} and users.deleted_at is null and users.email_confirmed_at is not null
    and profiles.role = 'promoter')`;

/** The mailbox of an account, if it exists and has been verified. */
export async function verifiedMailbox(reader: Reader, userId: string): Promise<string | null> {
  const row = await reader
    .selectFrom("users")
    .select("email")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .where("email_confirmed_at", "is not", null)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** The number of an account in E.164, if it exists and has been verified: no SMS is sent to an unconfirmed number. */
export async function verifiedPhone(reader: Reader, userId: string): Promise<string | null> {
  const row = await reader
    .selectFrom("users")
    .select("phone")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .where("phone_confirmed_at", "is not", null)
    .executeTakeFirst();
  return row?.phone ? `+${row.phone.replace(/^\+/, "")}` : null;
}
