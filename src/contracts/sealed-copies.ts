import { sql } from "kysely";
import type { Config } from "#platform/config.ts";
import type { Database, Reader, Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { Clock } from "#platform/time/clock.ts";
import { sha256Of } from "./documents/hash.ts";
import { type PdfDocument } from "./documents/pdf-page.ts";
import type { EvidenceEntry } from "./evidence/chain.ts";
import { requireSeal } from "./seal/certificate.ts";
import { drawRedactedCopy, type SealedContract, sealCopy } from "./seal/sealing.ts";
import type { Verification } from "./seal/verification.ts";
import { findContract, insertDocument, linksOf, type LockedContract, markSealed } from "./store.ts";
import { documentKindsOf, documentOf, evidenceOf, requireEvidence } from "./views.ts";

type Services = Readonly<{ database: Database; keys: Keys; clock: Clock; config: Pick<Config, "seal"> }>;

export const verifySealedCopy = async (bytes: Buffer): Promise<Verification> =>
  (await import("./seal/verification.ts")).verifySealedCopy(bytes);

/** A signed copy that has not been stored yet. `recorded`: it has signatures from before evidence was stored. */
export type DrawnCopy = Readonly<{ contractId: string; document: PdfDocument; recorded: boolean }>;

/** Draws a signed contract's copy. Returns undefined if there is none to draw. Throws if the stored agreement or evidence was changed. */
export async function drawSealedCopy(
  services: Services,
  { bookingId, number }: { bookingId: string; number: string },
): Promise<DrawnCopy | undefined> {
  const { db } = services.database;
  const contract = await findContract(db, bookingId);
  if (contract?.signed_status !== "signed" || contract.document_hash === null) return undefined;
  if ((await documentKindsOf(db, contract.id)).includes("sealed")) return undefined;
  const entries = await requireEvidence(db, contract.id);
  const document = await sealCopy(
    await readSigned(db, contract, { number, entries }),
    await requireSeal(services),
    services.clock.now(),
  );
  const recorded = entries.some(({ details }) => details["method"] === "recorded");
  return { contractId: contract.id, document, recorded };
}

async function readSigned(
  db: Reader,
  contract: LockedContract,
  { number, entries }: { number: string; entries: readonly EvidenceEntry[] },
): Promise<SealedContract> {
  const agreement = await documentOf(db, contract.id, ["agreement"]);
  if (!agreement || sha256Of(agreement.bytes).toString("hex") !== contract.document_hash)
    throw new Error(`the stored agreement of contract ${contract.id} is not the one that was signed`);
  return {
    contractId: contract.id,
    number,
    termsHash: contract.terms_hash,
    agreement: agreement.bytes,
    signedFile: (await documentOf(db, contract.id, ["provider"]))?.bytes,
    links: await linksOf(db, contract.id),
    entries,
    parties: { promoter: contract.terms.promoter, artist: contract.terms.artist },
    timeZone: contract.terms.event.timeZone,
  };
}

/** Draws a contract for the bank of a payer: with its signatures and their certificate, without IP addresses. The agreement alone if it is not signed or its evidence was changed. Undefined without an agreement. */
export async function drawCopyForBank(
  { database: { db } }: Pick<Services, "database">,
  { bookingId, number }: { bookingId: string; number: string },
): Promise<Buffer | undefined> {
  const contract = await findContract(db, bookingId);
  if (!contract) return undefined;
  const chain = await evidenceOf(db, contract.id);
  if (contract.signed_status !== "signed" || contract.document_hash === null || "fault" in chain)
    return (await documentOf(db, contract.id, ["agreement"]))?.bytes;
  return drawRedactedCopy(await readSigned(db, contract, { number, entries: chain.entries }));
}

/** Stores the copy unless another process was faster. The caller has locked the booking. */
export async function storeSealedCopy(tx: Tx, copy: { drawn: DrawnCopy; now: Date }): Promise<boolean> {
  const { contractId, document } = copy.drawn;
  // An attestation may have been annulled since it was drawn.
  const contract = await tx
    .selectFrom("contracts")
    .select("signed_status")
    .where("id", "=", contractId)
    .executeTakeFirst();
  if (contract?.signed_status !== "signed") return false;
  await markSealed(tx, contractId, copy.now);
  return insertDocument(tx, { contractId, kind: "sealed", ...document, now: copy.now });
}

/** Returns bookings whose signed contract has its agreement but no signed copy. In random order, because failing ones must not block the others. */
export async function unsealedContracts(reader: Reader, max: number): Promise<string[]> {
  const rows = await reader
    .selectFrom("contracts as c")
    .select("c.booking_id")
    .where("c.signed_status", "=", "signed")
    .where("c.document_hash", "is not", null)
    .where("c.sealed_at", "is", null)
    .orderBy(sql`random()`)
    .limit(max)
    .execute();
  return rows.map(({ booking_id: id }) => id);
}

export const readSignedCopy = async (reader: Reader, contractId: string): Promise<Uint8Array | undefined> =>
  (await documentOf(reader, contractId, ["sealed"]))?.bytes;
