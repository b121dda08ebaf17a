import { type Tx, json } from "#platform/db/index.ts";
import { type ContractStatus, type ContractTerms, statusOf } from "./rules.ts";

/** A contract as other modules see it. */
export type Contract = { id: string; bookingId: string; status: ContractStatus; termsHash: string; createdAt: Date };

type NewContract = { bookingId: string; terms: ContractTerms; termsHash: string; provider: string };

/** Inserts the draft unless the booking has a contract; two at once end with one row. */
export async function findOrInsertContract(tx: Tx, draft: NewContract): Promise<Contract> {
  await tx
    .insertInto("contracts")
    .values({
      booking_id: draft.bookingId,
      provider: draft.provider,
      terms: json(draft.terms),
      terms_hash: draft.termsHash,
    })
    .onConflict((on) => on.column("booking_id").doNothing())
    .execute();
  const row = await tx
    .selectFrom("contracts")
    .select(["id", "booking_id", "signed_status", "terms_hash", "created_at"])
    .where("booking_id", "=", draft.bookingId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    bookingId: row.booking_id,
    status: statusOf(row.signed_status),
    termsHash: row.terms_hash,
    createdAt: row.created_at,
  };
}
