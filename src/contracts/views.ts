import { X509Certificate } from "node:crypto";
import { sql } from "kysely";
import { isUuid, type Reader } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { type EsignProvider, esignProviderNames } from "#settings/choices.rules.ts";
import { sha256Of } from "./documents/hash.ts";
import { checkChain, type EvidenceEntry } from "./evidence/chain.ts";
import { linkHashOf } from "./issue.ts";
import type { ContractStatus } from "./rules/contract.rules.ts";
import { type DocumentKind, findSeal, linksOf, type LockedContract, type Signer, signersOf } from "./store.ts";

/** `service`: where the parties sign, null on this server. */
export type ContractSummary = Pick<
  LockedContract,
  "id" | "sent_at" | "signed_at" | "expires_at" | "extended_at" | "first_signer"
> & { status: ContractStatus; service: string | null; signers: Signer[] };

export async function contractOf(reader: Reader, bookingId: string): Promise<ContractSummary | null> {
  const row = await reader
    .selectFrom("contracts")
    .select([
      "id",
      "signed_status as status",
      "sent_at",
      "signed_at",
      "expires_at",
      "extended_at",
      "provider",
      "provider_ref",
      "first_signer",
    ])
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  if (!row) return null;
  const { provider, provider_ref: ref, ...contract } = row;
  return {
    ...contract,
    expires_at: row.status === "sent" ? row.expires_at : null,
    service: ref === null ? null : serviceName(provider),
    signers: await signersOf(reader, row.id),
  };
}

export const serviceName = (provider: string): string =>
  Object.hasOwn(esignProviderNames, provider) ? esignProviderNames[provider as EsignProvider] : provider;

export async function bookingOfContract(reader: Reader, contractId: string): Promise<string | undefined> {
  if (!isUuid(contractId)) return undefined;
  const row = await reader.selectFrom("contracts").select("booking_id").where("id", "=", contractId).executeTakeFirst();
  return row?.booking_id;
}

export async function findSignerLink(reader: Reader, token: string, now: Date) {
  const row = await reader
    .selectFrom("contract_links as l")
    .innerJoin("contracts as c", "c.id", "l.contract_id")
    .select(["c.booking_id", "l.side", "l.used_at", "l.expires_at"])
    .where("l.hash", "=", linkHashOf(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const { booking_id: bookingId, side, used_at: usedAt, expires_at: expiresAt } = row;
  const state = usedAt !== null ? "used" : expiresAt <= now ? "expired" : "open";
  return { bookingId, side, state, expiresAt } as const;
}

/** Returns the signed copy, else the agreement, or undefined. Throws 409 if the stored bytes were changed. */
export async function documentOf(
  reader: Reader,
  contractId: string,
  kinds: readonly DocumentKind[] = ["sealed", "agreement"],
) {
  const rows = await reader
    .selectFrom("contract_documents")
    .select(["kind", "bytes", "sha256", "pages", "media_type"])
    .where("contract_id", "=", contractId)
    .where("kind", "in", kinds)
    .execute();
  const row = kinds.map((kind) => rows.find((one) => one.kind === kind)).find((one) => one !== undefined);
  if (row && !sha256Of(row.bytes).equals(Buffer.from(row.sha256)))
    throw conflict(
      "The stored document of this contract was changed: its fingerprint differs. It is not shown and cannot be signed until an admin has restored it.",
      { cause: new Error(`the ${row.kind} of contract ${contractId} was changed in storage`) },
    );
  return row && { ...row, bytes: Buffer.from(row.bytes), sha256: Buffer.from(row.sha256) };
}

export async function documentKindsOf(reader: Reader, contractId: string): Promise<DocumentKind[]> {
  const rows = await reader
    .selectFrom("contract_documents")
    .select("kind")
    .where("contract_id", "=", contractId)
    .execute();
  return rows.map(({ kind }) => kind as DocumentKind);
}

/** `sha256` is in hex. */
export const filesOf = (reader: Reader, contractId: string) =>
  reader
    .selectFrom("contract_documents")
    .select([
      "kind",
      "pages",
      "created_at",
      sql<number>`octet_length(bytes)`.as("bytes"),
      sql<string>`encode(sha256, 'hex')`.as("sha256"),
    ])
    .where("contract_id", "=", contractId)
    .orderBy("created_at")
    .execute();

export async function evidenceTrailOf(
  reader: Reader,
  contractId: string,
): Promise<{ fault: string } | { events: (EvidenceEntry & { hash: string })[] }> {
  const links = await linksOf(reader, contractId);
  const chain = checkChain(contractId, links);
  if ("fault" in chain) return chain;
  return {
    events: chain.entries.map((entry, index) => ({ ...entry, hash: links[index]?.hash.toString("hex") ?? "" })),
  };
}

export async function sealCertificate(reader: Reader): Promise<string | null> {
  const seal = await findSeal(reader);
  return seal ? new X509Certificate(seal.certificate).fingerprint256 : null;
}

export const evidenceOf = async (reader: Reader, contractId: string) =>
  checkChain(contractId, await linksOf(reader, contractId));

/** Throws if the evidence was changed. */
export async function requireEvidence(reader: Reader, contractId: string): Promise<EvidenceEntry[]> {
  const chain = await evidenceOf(reader, contractId);
  if ("fault" in chain) throw new Error(`the evidence of contract ${contractId} does not hold: ${chain.fault}`);
  return chain.entries;
}
