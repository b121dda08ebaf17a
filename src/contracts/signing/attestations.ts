/** Attested signatures with their signed documents, and the parties' objections. The caller has locked the booking. */

import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import {
  closeObjections,
  archiveAnnulled,
  insertObjection,
  objectionsTo,
  type SignedDocument,
  removeAttestedSignatures,
  replaceSignedDocument,
} from "../attestations.store.ts";
import {
  type ContractSide,
  objectionEnd,
  type ObjectionDecision,
  type SignedDocumentType,
  windowEnd,
} from "../rules/contract.rules.ts";
import { appendEvidence, changeContract, changeSigner, lockContract, signersOf, markLinksUsed } from "../store.ts";
import { documentOf, evidenceOf } from "../views.ts";
import { type RequestOrigin, contractConflict, requireOpenContract, withdrawFromProvider } from "./signatures.ts";

/** Stores the signed document of an open contract for an attestation. Until then a newer one replaces it. */
export async function storeSignedDocument(
  tx: Tx,
  bookingId: string,
  document: SignedDocument,
  now: Date,
): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (!contract) throw new Error(`booking ${bookingId} has no contract to attest`);
  requireOpenContract(contract, contract.document_hash ?? "", now);
  await replaceSignedDocument(tx, contract.id, document, now);
}

/** Records an admin's attestation that every missing signature was given outside the platform, as evidence with the document's fingerprint. Throws a conflict (409) if the contract is not open, or the document not the stored one. */
export async function attestContract(
  tx: Tx,
  bookingId: string,
  input: { reason: string; paper: string; by: { name: string; userId: string }; origin: RequestOrigin },
  now: Date,
): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (!contract) throw new Error(`booking ${bookingId} has no contract to attest`);
  const { document_hash: documentHash } = contract;
  requireOpenContract(contract, documentHash ?? "", now);
  const stored = await documentOf(tx, contract.id, ["scan"]);
  if (stored?.sha256.toString("hex") !== input.paper)
    throw contractConflict("The signed document differs from the stored one. Choose the file again.", contract);
  const document = Buffer.from(documentHash ?? "", "hex");
  for (const { side, signed_at: signedAt } of await signersOf(tx, contract.id)) {
    if (signedAt) continue;
    await appendEvidence(tx, contract, {
      kind: "attested",
      side,
      at: now,
      ...input.origin,
      details: {
        reason: input.reason,
        by: input.by.name,
        account: input.by.userId,
        paper: input.paper,
        paper_type: stored.media_type,
        paper_bytes: stored.bytes.length,
      },
    });
    await changeSigner(tx, contract.id, side, { method: "attested", document_sha256: document, signed_at: now });
  }
  await withdrawFromProvider(tx, contract, now);
  await changeContract(tx, contract, { signed_status: "signed", signed_at: now });
  await markLinksUsed(tx, contract.id, null, now);
}

export type Attestation = NonNullable<Awaited<ReturnType<typeof attestationOf>>>;

/** Returns the attestation of a contract with the objections to it. Null if both parties signed here. `paper` is null for attestations from before signed documents were stored. */
export async function attestationOf(reader: Reader, contractId: string) {
  const chain = await evidenceOf(reader, contractId);
  const entries = "fault" in chain ? [] : chain.entries;
  const annulled = entries.findLastIndex(
    (one) => one.kind === "objection_decided" && one.details.decision === "annulled",
  );
  const entry = entries.slice(annulled + 1).find(({ kind }) => kind === "attested");
  if (!entry) return null;
  const { reason, by, paper, paper_type: type, paper_bytes: bytes } = entry.details;
  const at = new Date(entry.at);
  return {
    reason: String(reason ?? ""),
    by: String(by ?? ""),
    at,
    paper:
      typeof paper === "string"
        ? { sha256: paper, media_type: type as SignedDocumentType, bytes: Number(bytes) }
        : null,
    objection_end: objectionEnd(at),
    objections: await objectionsTo(reader, contractId, at),
  };
}

/** Records one objection per party as evidence. The contract does not change. Throws a conflict (409) if late, repeated or without an attestation. */
export async function objectToAttestation(
  tx: Tx,
  bookingId: string,
  input: { side: ContractSide; reason: string; via: "session" | "booking key"; origin: RequestOrigin },
  now: Date,
): Promise<{ contractId: string }> {
  const contract = await lockContract(tx, bookingId);
  const attestation = contract && (await attestationOf(tx, contract.id));
  if (!contract || !attestation) throw conflict("No admin has attested a signature of this contract.");
  if (attestation.objection_end <= now) throw contractConflict("The 72 hours for an objection are over.", contract);
  const { side, reason } = input;
  if (!(await insertObjection(tx, contract.id, { side, reason, at: now })))
    throw contractConflict("You have already objected. An admin reviews your objection.", contract);
  await appendEvidence(tx, contract, {
    kind: "objected",
    side,
    at: now,
    ...input.origin,
    details: { reason, via: input.via },
  });
  return { contractId: contract.id };
}

/** Records an admin's decision about all open objections as evidence. Annulled: attested signatures are removed, and the contract can be signed until the returned `until`. Throws a conflict (409) if no objection is open. */
export async function decideObjections(
  tx: Tx,
  bookingId: string,
  decided: {
    decision: ObjectionDecision;
    reason: string;
    by: { name: string; userId: string };
    origin: RequestOrigin;
    startsAt: Date;
  },
  now: Date,
): Promise<{ contractId: string; objected: ContractSide[]; until: Date; atService: boolean }> {
  const contract = await lockContract(tx, bookingId);
  const { decision, reason, by, origin, startsAt } = decided;
  const objected = contract ? await closeObjections(tx, contract.id, { decision, reason, by: by.userId, now }) : [];
  if (!contract || objected.length === 0) throw conflict("No objection to this contract is open.");
  await appendEvidence(tx, contract, {
    kind: "objection_decided",
    at: now,
    ...origin,
    details: { decision, reason, by: by.name, account: by.userId },
  });
  const until = windowEnd(now, startsAt);
  if (decision === "annulled") {
    await archiveAnnulled(tx, contract.id);
    await removeAttestedSignatures(tx, contract.id);
    await changeContract(tx, contract, {
      signed_status: "sent",
      signed_at: null,
      sealed_at: null,
      expires_at: until,
      extended_at: null,
      reminders_from: now,
      reminders: 0,
    });
  }
  return { contractId: contract.id, objected, until, atService: contract.provider_ref !== null };
}

export async function endObjections(tx: Tx, bookingId: string, now: Date): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (contract) await closeObjections(tx, contract.id, { decision: "booking_ended", reason: null, by: null, now });
}
