import { sql } from "kysely";
import type { Reader, Tx } from "#platform/db/index.ts";
import type { ContractSide, ObjectionDecision, SignedDocumentType } from "./rules/contract.rules.ts";

export type SignedDocument = Readonly<{ bytes: Buffer; sha256: Buffer; pages: number; media_type: SignedDocumentType }>;

export const replaceSignedDocument = (tx: Tx, contractId: string, document: SignedDocument, now: Date) => {
  const values = { ...document, created_at: now };
  return tx
    .insertInto("contract_documents")
    .values({ contract_id: contractId, kind: "scan", ...values })
    .onConflict((on) => on.columns(["contract_id", "kind"]).doUpdateSet(values))
    .execute();
};

export type Objection = Awaited<ReturnType<typeof objectionsTo>>[number];

export async function insertObjection(
  tx: Tx,
  contractId: string,
  objection: Pick<Objection, "side" | "reason" | "at">,
): Promise<boolean> {
  const values = { reason: objection.reason, made_at: objection.at };
  const open = { decided_at: null, decided_by: null, decision: null, decision_reason: null };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("contract_objections")
    .values({ contract_id: contractId, side: objection.side, ...values })
    .onConflict((on) =>
      on
        .columns(["contract_id", "side"])
        .doUpdateSet({ ...values, ...open })
        .where("contract_objections.decision", "=", "annulled"),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function closeObjections(
  tx: Tx,
  contractId: string,
  decided: { decision: ObjectionDecision | "booking_ended"; reason: string | null; by: string | null; now: Date },
): Promise<ContractSide[]> {
  const rows = await tx
    .updateTable("contract_objections")
    .set({
      decision: decided.decision,
      decision_reason: decided.reason,
      decided_by: decided.by,
      decided_at: decided.now,
    })
    .where("contract_id", "=", contractId)
    .where("decided_at", "is", null)
    .returning("side")
    .execute();
  return rows.map(({ side }) => side);
}

/** Returns the objections to an attestation. `decision`: null while it is open. */
export const objectionsTo = (reader: Reader, contractId: string, since: Date) =>
  reader
    .selectFrom("contract_objections")
    .select(["side", "reason", "made_at as at", "decision", "decided_at", "decision_reason"])
    .where("contract_id", "=", contractId)
    .where("made_at", ">=", since)
    .orderBy("made_at")
    .execute();

/** Archives the scan and the signed copy of an annulled attestation under a separate kind. */
export const archiveAnnulled = (tx: Tx, contractId: string) =>
  sql`update contract_documents d set kind = 'annulled_' || d.kind || '_' || (
      select 1 + count(*) from contract_documents o
      where o.contract_id = d.contract_id and o.kind like 'annulled_' || d.kind || '_%')
    where d.contract_id = ${contractId}::uuid and d.kind in ('scan', 'sealed')`.execute(tx);

export const removeAttestedSignatures = (tx: Tx, contractId: string) =>
  tx
    .updateTable("contract_signers")
    .set({ method: null, document_sha256: null, signed_at: null })
    .where("contract_id", "=", contractId)
    .where("method", "=", "attested")
    .execute();
