import { createHash, randomBytes } from "node:crypto";
import canonicalize from "canonicalize";
import type { Tx } from "#platform/db/index.ts";
import { makeAgreement } from "./documents/agreement.ts";
import type { PdfDocument } from "./documents/pdf-page.ts";
import type { AgreementContext } from "./documents/variables.ts";
import { type ContractSide, type ContractTerms, windowEnd } from "./rules/contract.rules.ts";
import type { DocumentText } from "./rules/document-text.rules.ts";
import type { AgreementTemplate } from "./rules/template.rules.ts";
import {
  appendEvidence,
  changeContract,
  changeSigner,
  writeDraft,
  insertDocument,
  insertLink,
  insertSigners,
  lockContract,
  type LockedContract,
} from "./store.ts";

/** Returns the fingerprint of terms or of a document's text, which is in the evidence: SHA-256 of the canonical JSON (RFC 8785), in hex. */
export function canonicalHash(value: ContractTerms | DocumentText): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("this cannot be written down as JSON");
  return createHash("sha256").update(text).digest("hex");
}

export const draftContract = (tx: Tx, draft: { bookingId: string; terms: ContractTerms }) =>
  writeDraft(tx, { ...draft, termsHash: canonicalHash(draft.terms) });

/** `text` is null for a document that was drawn before texts were stored. */
export type DrawnAgreement = Readonly<{
  termsHash: string;
  document: PdfDocument;
  text: DocumentText | null;
  template: string;
  firstSigner: ContractSide | null;
}>;

/** The service and its reference. Null if nothing was sent to a service. */
export type SentTo = Readonly<{ provider: string; ref: string | null }>;

const nameOf = ({ id, version }: AgreementTemplate) => `${id} ${version}`;

export async function drawAgreement(
  contract: Pick<LockedContract, "terms" | "terms_hash">,
  context: AgreementContext,
  template: AgreementTemplate,
): Promise<DrawnAgreement> {
  const drawn = await makeAgreement({ template, terms: contract.terms, termsHash: contract.terms_hash, context });
  const { terms_hash: termsHash } = contract;
  return { ...drawn, termsHash, template: nameOf(template), firstSigner: template.firstSigner };
}

/** Sends the draft of a locked booking: stores its document, enters signers, opens the window. Returns false if it is no draft or is being sent. */
export async function issueContract(
  tx: Tx,
  issue: { bookingId: string; drawn: DrawnAgreement; startsAt: Date; now: Date; sent?: SentTo | undefined },
): Promise<boolean> {
  const contract = await lockContract(tx, issue.bookingId);
  if (contract?.signed_status !== "draft") return false;
  const { sent } = issue;
  // Another process sent it to a service since. Its document counts, and that process issues the contract.
  if (!sent?.ref && contract.provider_requested_at !== null) return false;
  await storeAgreement(tx, contract, issue.drawn, issue.now);
  await insertSigners(tx, contract.id, signersIn(contract.terms));
  await changeContract(tx, contract, {
    signed_status: "sent",
    sent_at: issue.now,
    expires_at: windowEnd(issue.now, issue.startsAt),
    last_error: null,
    next_try_at: null,
    ...(sent ? { provider: sent.provider, provider_ref: sent.ref, provider_polled_at: issue.now } : {}),
  });
  await appendEvidence(tx, contract, {
    kind: "sent",
    at: issue.now,
    details: {
      terms: contract.terms_hash,
      template: issue.drawn.template,
      ...(issue.drawn.text ? { text: canonicalHash(issue.drawn.text) } : {}),
      ...(issue.drawn.firstSigner ? { signs_first: issue.drawn.firstSigner } : {}),
      ...(sent?.ref ? { provider: sent.provider, reference: sent.ref } : {}),
    },
  });
  return true;
}

export const signersIn = (terms: ContractTerms): { side: ContractSide; name: string }[] => [
  { side: "promoter", name: terms.promoter.name },
  { side: "artist", name: terms.artist.name },
];

export async function storeAgreement(tx: Tx, contract: LockedContract, drawn: DrawnAgreement, now: Date) {
  const { document, text, termsHash } = drawn;
  // Two processes may draft and draw at the same time.
  if (termsHash !== contract.terms_hash) throw new Error("The terms have changed since the document was drawn.");
  const { sha256 } = document;
  await insertDocument(tx, { contractId: contract.id, kind: "agreement", ...document, text, now });
  await changeContract(tx, contract, {
    document_hash: sha256.toString("hex"),
    template: drawn.template,
    first_signer: drawn.firstSigner,
  });
}

const linkBytes = 24;

export const linkHashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Makes a one-use link of 192 bits to the signing page, for one party. It expires with the signing window. */
export async function makeSignerLink(
  tx: Tx,
  link: { contractId: string; side: ContractSide; now: Date; expiresAt: Date },
): Promise<string> {
  const token = randomBytes(linkBytes).toString("base64url");
  const { contractId: contract_id, side, now: created_at, expiresAt: expires_at } = link;
  await insertLink(tx, { hash: linkHashOf(token), contract_id, side, created_at, expires_at });
  return token;
}

/** Adds a document to a contract from before documents were stored. A signed one is recorded as signed without proof. */
export async function addMissingDocument(
  tx: Tx,
  supply: { bookingId: string; drawn: DrawnAgreement; startsAt: Date; now: Date },
): Promise<void> {
  const contract = await lockContract(tx, supply.bookingId);
  if (!contract || contract.sent_at === null || contract.document_hash !== null) return;
  const { drawn, now } = supply;
  const hash = drawn.document.sha256;
  await storeAgreement(tx, contract, drawn, now);
  await openSigningWindow(tx, contract, supply.startsAt, now);
  const details = {
    terms: contract.terms_hash,
    template: drawn.template,
    ...(drawn.text ? { text: canonicalHash(drawn.text) } : {}),
    supplied: now.toISOString(),
  };
  await appendEvidence(tx, contract, { kind: "sent", at: contract.sent_at, details });
  const { signed_at: signedAt } = contract;
  if (contract.signed_status !== "signed" || signedAt === null) return;
  for (const { side, name } of signersIn(contract.terms)) {
    const signature = { method: "recorded", signed_name: name, document_sha256: hash, signed_at: signedAt } as const;
    await changeSigner(tx, contract.id, side, signature);
    await appendEvidence(tx, contract, { kind: "signed", side, at: signedAt, details: { name, method: "recorded" } });
  }
}

export async function openSigningWindow(tx: Tx, contract: LockedContract, startsAt: Date, now: Date): Promise<void> {
  await insertSigners(tx, contract.id, signersIn(contract.terms));
  if (contract.signed_status === "sent" && contract.expires_at === null)
    await changeContract(tx, contract, { expires_at: windowEnd(now, startsAt) });
}
