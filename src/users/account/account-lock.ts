import { sql } from "kysely";
import { sentWithNext, type Tx } from "#platform/db/index.ts";
import { AuthError, asProblem } from "../auth-errors.ts";

const keyOf = (userId: string) => sql`hashtextextended(${`account ${userId}`}, 0)`;

/** Stops the deletion of the account until the transaction of its write ends. The first lock of a transaction. Throws `session_not_found` (401) if it was deleted. */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(userId)}) ${sentWithNext}`.execute(tx);
  const account = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!account) throw asProblem(new AuthError("session_not_found"));
}

/** Waits for the writes of the account. Later ones wait until the deletion ends. */
export const lockAccountForDeletion = (tx: Tx, userId: string) =>
  sql`select pg_advisory_xact_lock(${keyOf(userId)})`.execute(tx);
