/** SQL that writes the papers behind attested contracts, and the objections to them. */
import type { Reader, Tx } from "#platform/db/index.ts";
import type { ContractSide, PaperType } from "./rules.ts";

/** Stores the paper of a contract; before it is attested a newer one replaces it. */
export const replacePaper = (
  tx: Tx,
  paper: {
    contractId: string;
    bytes: Uint8Array;
    sha256: Uint8Array;
    pages: number;
    mediaType: PaperType;
    now: Date;
  },
) => {
  const values = {
    bytes: paper.bytes,
    sha256: paper.sha256,
    pages: paper.pages,
    media_type: paper.mediaType,
    created_at: paper.now,
  };
  return tx
    .insertInto("contract_documents")
    .values({ contract_id: paper.contractId, kind: "scan", ...values })
    .onConflict((on) => on.columns(["contract_id", "kind"]).doUpdateSet(values))
    .execute();
};

/** An objection of one party to what an admin attested. */
export type Objection = Readonly<{ side: ContractSide; reason: string; madeAt: Date }>;

/** Stores an objection; false when this party has objected already. */
export async function insertObjection(tx: Tx, contractId: string, objection: Objection): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("contract_objections")
    .values({ contract_id: contractId, side: objection.side, reason: objection.reason, made_at: objection.madeAt })
    .onConflict((on) => on.columns(["contract_id", "side"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The objections to a contract, the first one first. */
export async function objectionsTo(reader: Reader, contractId: string): Promise<Objection[]> {
  const rows = await reader
    .selectFrom("contract_objections")
    .select(["side", "reason", "made_at"])
    .where("contract_id", "=", contractId)
    .orderBy("made_at")
    .execute();
  return rows.map(({ side, reason, made_at: madeAt }) => ({ side: side as ContractSide, reason, madeAt }));
}
