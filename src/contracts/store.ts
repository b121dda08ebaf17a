import { type Insertable, type Selectable, sql } from "kysely";
import { recordActivity } from "#activity/index.ts";
import { updateById, type DB, type Reader, type Tx, json } from "#platform/db/index.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { type EvidenceEntry, entryText, type Link, linkHash } from "./evidence/chain.ts";
import type { ContractSide, ContractTerms } from "./rules/contract.rules.ts";
import type { DocumentText } from "./rules/document-text.rules.ts";
import { evidenceText } from "./rules/evidence-text.rules.ts";

/** A locked contract. Every decision about it needs this lock. */
export type LockedContract = Omit<Selectable<DB["contracts"]>, "terms"> & { terms: ContractTerms };
export type Signer = Selectable<DB["contract_signers"]>;
export type DocumentKind = "agreement" | "sealed" | "scan" | "provider";

/** Inserts the draft of a booking's contract, or gives a draft that was not sent yet the current terms. */
export async function writeDraft(
  tx: Tx,
  draft: { bookingId: string; terms: ContractTerms; termsHash: string },
): Promise<{ id: string; signed_status: string }> {
  const terms = { terms: json(draft.terms), terms_hash: draft.termsHash };
  await tx
    .insertInto("contracts")
    .values({ booking_id: draft.bookingId, provider: "embedded", ...terms })
    .onConflict((on) =>
      on
        .column("booking_id")
        .doUpdateSet(terms)
        .where("contracts.signed_status", "=", "draft")
        .where("contracts.provider_requested_at", "is", null),
    )
    .execute();
  return tx
    .selectFrom("contracts")
    .select(["id", "signed_status"])
    .where("booking_id", "=", draft.bookingId)
    .executeTakeFirstOrThrow();
}

export const selectContracts = (reader: Reader) => reader.selectFrom("contracts").selectAll().$castTo<LockedContract>();

export const findContract = (reader: Reader, bookingId: string): Promise<LockedContract | undefined> =>
  selectContracts(reader).where("booking_id", "=", bookingId).executeTakeFirst();

/** Locks the contract of a booking. The booking is locked before, because a fixed order prevents deadlocks. */
export const lockContract = (tx: Tx, bookingId: string): Promise<LockedContract | undefined> =>
  selectContracts(tx).where("booking_id", "=", bookingId).forUpdate().executeTakeFirst();

type Change = Partial<Omit<LockedContract, "id" | "booking_id" | "terms" | "terms_hash" | "created_at">>;

export async function changeContract(tx: Tx, contract: LockedContract, fields: Change): Promise<void> {
  await updateById(tx, "contracts", contract.id, fields);
  Object.assign(contract, fields);
}

export const markSealed = (tx: Tx, contractId: string, now: Date) =>
  tx
    .updateTable("contracts")
    .set({ sealed_at: now })
    .where("id", "=", contractId)
    .where("sealed_at", "is", null)
    .execute();

export async function insertDocument(
  tx: Tx,
  document: {
    contractId: string;
    kind: DocumentKind;
    bytes: Uint8Array;
    sha256: Uint8Array;
    pages: number;
    text?: DocumentText | null;
    now: Date;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("contract_documents")
    .values({
      contract_id: document.contractId,
      kind: document.kind,
      bytes: document.bytes,
      sha256: document.sha256,
      pages: document.pages,
      text: document.text ? json(document.text) : null,
      created_at: document.now,
    })
    .onConflict((on) => on.columns(["contract_id", "kind"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function storedText(reader: Reader, contractId: string): Promise<DocumentText | null> {
  const row = await reader
    .selectFrom("contract_documents")
    .select("text")
    .where("contract_id", "=", contractId)
    .where("kind", "=", "agreement")
    .executeTakeFirst();
  return (row?.text as DocumentText | null | undefined) ?? null;
}

export const insertSigners = (tx: Tx, contractId: string, signers: readonly { side: ContractSide; name: string }[]) =>
  tx
    .insertInto("contract_signers")
    .values(signers.map((signer) => ({ contract_id: contractId, ...signer })))
    .onConflict((on) => on.columns(["contract_id", "side"]).doNothing())
    .execute();

export const signersOf = (reader: Reader, contractId: string): Promise<Signer[]> =>
  reader
    .selectFrom("contract_signers")
    .selectAll()
    .where("contract_id", "=", contractId)
    .orderBy("side", "desc")
    .execute();

export const changeSigner = (
  tx: Tx,
  contractId: string,
  side: ContractSide,
  fields: Partial<Omit<Selectable<DB["contract_signers"]>, "contract_id" | "side" | "name">>,
) =>
  tx
    .updateTable("contract_signers")
    .set(fields)
    .where("contract_id", "=", contractId)
    .where("side", "=", side)
    .execute();

export const insertLink = (tx: Tx, link: Insertable<DB["contract_links"]>) =>
  tx.insertInto("contract_links").values(link).execute();

export const markLinksUsed = (tx: Tx, contractId: string, side: ContractSide | null, now: Date) =>
  tx
    .updateTable("contract_links")
    .set({ used_at: now })
    .where("contract_id", "=", contractId)
    .where("used_at", "is", null)
    .$if(side !== null, (query) => query.where("side", "=", side))
    .execute();

/** Without a side: of no party. Without address and agent: of a scheduled job, the operator or a signing service. */
type NewEvidence = Pick<EvidenceEntry, "kind" | "details"> &
  Partial<Pick<EvidenceEntry, "side" | "address" | "agent">> & { at: Date };

/** Appends to the chain of a locked contract, with the fingerprint of its document. What changes the contract is also recorded in the activity log. */
export async function appendEvidence(tx: Tx, contract: LockedContract, entry: NewEvidence): Promise<void> {
  const last = await tx
    .selectFrom("contract_events")
    .select(["number", "hash"])
    .where("contract_id", "=", contract.id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  const text = entryText({
    side: null,
    address: null,
    agent: null,
    ...entry,
    contract: contract.id,
    document: contract.document_hash,
    number,
    at: entry.at.toISOString(),
  });
  const hash = linkHash(last?.hash ?? Buffer.alloc(0), text);
  await tx.insertInto("contract_events").values({ contract_id: contract.id, number, entry: text, hash }).execute();
  await logEvidence(tx, contract, entry);
}

async function logEvidence(tx: Tx, contract: LockedContract, { kind, side = null, details }: NewEvidence) {
  const text = evidenceText({ kind, side, details });
  if (text === null) return;
  const { artist, event } = contract.terms;
  const { method, reason } = details;
  await recordActivity(tx, {
    type: "contract",
    refId: contract.id,
    message: `${artist.name}, ${describeDay(event.date)}, ${event.venueName}: ${text}`,
    meta: { ...(side && { side }), ...(method && { method }), ...(reason && { reason }) },
  });
}

export async function linksOf(reader: Reader, contractId: string): Promise<Link[]> {
  const rows = await reader
    .selectFrom("contract_events")
    .select(["entry", "hash"])
    .where("contract_id", "=", contractId)
    .orderBy("number")
    .execute();
  return rows.map(({ entry, hash }) => ({ entry, hash: Buffer.from(hash) }));
}

export const recordSendingFailure = (tx: Tx, contractId: string, failure: { message: string; nextTryAt: Date }) =>
  updateById(tx, "contracts", contractId, {
    attempts: sql<number>`attempts + 1`,
    next_try_at: failure.nextTryAt,
    last_error: failure.message.slice(0, 500),
  });

export type StoredSeal = Readonly<{ certificate: Buffer; privateKey: string }>;

export async function findSeal(reader: Reader): Promise<StoredSeal | undefined> {
  const row = await reader
    .selectFrom("contract_seals")
    .select(["certificate", "private_key"])
    .where("retired_at", "is", null)
    .executeTakeFirst();
  return row && { certificate: Buffer.from(row.certificate), privateKey: row.private_key };
}

export const insertSeal = (tx: Tx, seal: StoredSeal & { now: Date }) =>
  tx
    .insertInto("contract_seals")
    .values({ certificate: seal.certificate, private_key: seal.privateKey, created_at: seal.now })
    .onConflict((on) => on.doNothing())
    .execute();

/** Retires the certificate once. Its signatures still verify, because the files include the certificate. */
export const retireSeal = (tx: Tx, certificate: Uint8Array, now: Date) =>
  tx
    .updateTable("contract_seals")
    .set({ retired_at: now })
    .where("certificate", "=", certificate)
    .where("retired_at", "is", null)
    .execute();

export const changeSealKey = (tx: Tx, privateKey: string) =>
  tx.updateTable("contract_seals").set({ private_key: privateKey }).where("retired_at", "is", null).execute();
