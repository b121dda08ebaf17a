import type { Reader } from "#platform/db/index.ts";
import { canonicalHash, drawAgreement } from "./contracts.ts";
import type { AgreementContext } from "./documents/variables.ts";
import type { DocumentText } from "./rules/document-text.rules.ts";
import { type AgreementEdition, agreementEditions, type AgreementTemplate } from "./rules/template.rules.ts";
import { type LockedContract, storedText } from "./store.ts";
import { findTemplate } from "./templates.ts";
import { evidenceOf } from "./views.ts";

/** Returns the proven text of a contract's stored agreement, or null. Proven: the stored text has the fingerprint of the evidence, or (older contracts) the agreement drawn again has the bytes of the stored file. */
export async function agreementText(
  reader: Reader,
  contract: LockedContract,
  contextOf: (edition: AgreementEdition) => AgreementContext,
): Promise<DocumentText | null> {
  if (contract.document_hash === null) return null;
  const stored = await storedText(reader, contract.id);
  if (stored && canonicalHash(stored) === (await hashInEvidence(reader, contract.id))) return stored;
  const template = await templateOf(reader, contract.template ?? "");
  if (!template) return null;
  for (const edition of agreementEditions) {
    const { document, text } = await drawAgreement(contract, contextOf(edition), template);
    if (document.sha256.toString("hex") === contract.document_hash) return text;
  }
  return null;
}

async function hashInEvidence(reader: Reader, contractId: string): Promise<unknown> {
  const chain = await evidenceOf(reader, contractId);
  return "fault" in chain ? undefined : chain.entries.find(({ kind }) => kind === "sent")?.details["text"];
}

async function templateOf(reader: Reader, name: string): Promise<AgreementTemplate | undefined> {
  const [, id, version] = /^(\S+) (\d+)$/.exec(name) ?? [];
  return id === undefined ? undefined : findTemplate(reader, id, Number(version));
}
