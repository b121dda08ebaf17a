/** The signed copy: agreement, signatures with their certificate, evidence and agreement as attachments, under one digital signature. */

import type { PDF } from "@libpdf/core";
import { sha256Of } from "../documents/hash.ts";
import { openPdf } from "../documents/pdf-library.ts";
import type { PdfDocument } from "../documents/pdf-page.ts";
import type { EvidenceEntry, Link } from "../evidence/chain.ts";
import type { ContractSide } from "../rules/contract.rules.ts";
import { makeCertificatePages } from "./certificate-pages.ts";
import type { Seal } from "./certificate.ts";

export const attachments = {
  agreement: "agreement.pdf",
  evidence: "evidence.json",
  signedFile: "signed-at-the-service.pdf",
} as const;

export type SealedContract = Readonly<{
  contractId: string;
  number: string;
  termsHash: string;
  agreement: Buffer;
  /** The file that a signing service has signed. Undefined for signatures on this server. */
  signedFile?: Buffer | undefined;
  links: readonly Link[];
  entries: readonly EvidenceEntry[];
  parties: Readonly<Record<ContractSide, Readonly<{ name: string; email?: string; organization?: string }>>>;
  timeZone: string;
}>;

async function drawPages(contract: SealedContract, fingerprint: string | null): Promise<PDF> {
  const pdf = await openPdf(contract.agreement);
  const certificate = await makeCertificatePages(contract, { fingerprint, pages: pdf.getPageCount() });
  const pages = await openPdf(certificate.bytes);
  await pdf.copyPagesFrom(
    pages,
    Array.from({ length: certificate.pages }, (_, index) => index),
  );
  return pdf;
}

/** Draws a copy for a recipient who is not a party: without IP addresses, browsers, attachments and seal. */
export async function drawRedactedCopy(contract: SealedContract): Promise<Buffer> {
  const entries = contract.entries.map((entry) => ({ ...entry, address: null, agent: null }));
  return Buffer.from(await (await drawPages({ ...contract, entries }, null)).save());
}

export async function sealCopy(contract: SealedContract, seal: Seal, at: Date): Promise<PdfDocument> {
  const pdf = await drawPages(contract, seal.fingerprint);
  const evidence = {
    format: 1,
    contract: contract.contractId,
    number: contract.number,
    terms: contract.termsHash,
    document: sha256Of(contract.agreement).toString("hex"),
    chain: contract.links.map(({ entry, hash }) => ({ entry, hash: hash.toString("hex") })),
  };
  pdf.addAttachment(attachments.agreement, contract.agreement, {
    description: "The agreement as it was signed",
    mimeType: "application/pdf",
  });
  pdf.addAttachment(attachments.evidence, Buffer.from(JSON.stringify(evidence, null, 1)), {
    description: "What happened, as a chain of hashes",
    mimeType: "application/json",
  });
  if (contract.signedFile)
    pdf.addAttachment(attachments.signedFile, contract.signedFile, {
      description: "The file with the signatures as the signing service made it",
      mimeType: "application/pdf",
    });
  const { bytes } = await pdf.sign({
    signer: seal.signer,
    reason: "Sealed by the platform after all parties had signed",
    signingTime: at,
    level: "B-B",
  });
  return { bytes: Buffer.from(bytes), sha256: sha256Of(bytes), pages: pdf.getPageCount() };
}
