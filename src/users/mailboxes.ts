/** The owners of verified mailboxes, for other modules, which do not read the tables of accounts. */

import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";

/** Returns the promoter's account of a verified mailbox, case-insensitively, as part of a statement, which locks it against its deletion. Null if there is none. */
export const promoterIdByEmail = (email: string) => sql<string | null>`(
  select users.id from users join profiles on profiles.user_id = users.id
  where lower(users.email) = ${email.toLowerCase()} and users.deleted_at is null and users.email_confirmed_at is not null
    and profiles.role = 'promoter' for key share of users)`;

const ofVerified = (reader: Reader, userId: string, column: "email" | "phone") =>
  reader
    .selectFrom("users")
    .select(`${column} as value`)
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .where(`${column}_confirmed_at`, "is not", null)
    .executeTakeFirst();

export const verifiedMailbox = async (reader: Reader, userId: string): Promise<string | null> =>
  (await ofVerified(reader, userId, "email"))?.value ?? null;

/** Returns the number of an account in E.164, if it exists and is verified. No SMS is sent to an unverified number. */
export async function verifiedPhone(reader: Reader, userId: string): Promise<string | null> {
  const phone = (await ofVerified(reader, userId, "phone"))?.value;
  return phone ? `+${phone.replace(/^\+/, "")}` : null;
}
