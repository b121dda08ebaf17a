import type { Insertable } from "kysely";
import { updateById, type DB, violatedConstraint, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";

/** Throws `mfa_factor_name_conflict` if the work stores a name that another factor of the account has. */
export async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw violatedConstraint(error) === "factors_name" ? new AuthError("mfa_factor_name_conflict") : error;
  }
}

export async function insertFactor(tx: Tx, factor: Insertable<DB["factors"]>): Promise<string> {
  return (await tx.insertInto("factors").values(factor).returning("id").executeTakeFirstOrThrow()).id;
}

export const deleteUnverifiedFactors = (tx: Tx, userId: string) =>
  tx.deleteFrom("factors").where("user_id", "=", userId).where("status", "=", "unverified").execute();

export const lockFactor = (tx: Tx, userId: string, id: string) =>
  tx
    .selectFrom("factors")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();

export const markFactorVerified = (tx: Tx, id: string, step: number, now: Date) =>
  updateById(tx, "factors", id, { status: "verified", last_step: step, updated_at: now, last_used_at: now });

export const deleteFactor = (tx: Tx, id: string) => tx.deleteFrom("factors").where("id", "=", id).execute();

export const deleteFactorsOf = (tx: Tx, userId: string) =>
  tx
    .deleteFrom("factors")
    .where("user_id", "=", userId)
    .returning(["id", "kind", "credential_id", "friendly_name", "secret", "last_step", "status"])
    .execute();

export async function insertChallenge(tx: Tx, challenge: Insertable<DB["factor_challenges"]>): Promise<string> {
  return (await tx.insertInto("factor_challenges").values(challenge).returning("id").executeTakeFirstOrThrow()).id;
}

export const deleteChallenge = (tx: Tx, id: string) =>
  tx.deleteFrom("factor_challenges").where("id", "=", id).execute();
