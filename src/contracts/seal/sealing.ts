/** The signed copy: agreement, certificate of signatures, evidence and agreement as attachments, all under one seal. */
import { plainLine } from "#platform/text.rules.ts";
import { openPdf } from "../documents/pdf-library.ts";
import { makePdf, type PdfDocument } from "../documents/pdf-page.ts";
import { sha256Of } from "../documents/hash.ts";
import { type SignedDocumentType, signedDocumentTypes } from "../rules/contract.rules.ts";
import type { EvidenceEntry, Link } from "../evidence/chain.ts";
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
  /** The file that a signing service has signed; undefined for what was signed on this server. */
  signedFile?: Buffer | undefined;
  links: readonly Link[];
  entries: readonly EvidenceEntry[];
  names: Readonly<Record<"promoter" | "artist", string>>;
}>;

const methods: Record<string, string> = {
  typed: "by typing the name",
  drawn: "by typing the name and drawing the signature below",
  provider: "at the signing service named below",
  recorded: "before this installation kept evidence of signatures; recorded without proof",
};
const identifiedBy: Readonly<Record<string, string>> = {
  link: "the one-use link that was sent to the mailbox of this party",
  session: "the account of this party",
  mailbox: "a browser in which the mailbox of this party was verified",
};
const kinds: Record<EvidenceEntry["kind"], string> = {
  sent: "sent to both parties",
  opened: "opened",
  code_sent: "asked for a one-time code",
  code_verified: "typed the one-time code",
  consented: "agreed to electronic records",
  signed: "signed",
  attested: "attested by an administrator",
  objected: "objected to the attestation",
  objection_decided: "decided about the objection, by an administrator",
  declined: "declined",
  voided: "voided",
  reported: "reported by the signing service, without effect",
};

/** The paper that an administrator attested, by its fingerprint: the file itself stays with the contract. */
function describePaper({ details }: EvidenceEntry): string {
  const paper = text(details["paper"]);
  if (!paper) return "No paper is kept.";
  const type = text(details["paper_type"]);
  const kind = Object.hasOwn(signedDocumentTypes, type) ? signedDocumentTypes[type as SignedDocumentType] : "file";
  return `Signed paper: ${kind}, ${String(details["paper_bytes"])} bytes, fingerprint (SHA-256) ${paper}`;
}

const describeCode = ({ at, details }: EvidenceEntry): string =>
  `Confirmed on ${at} (UTC) by a one-time code that was sent by ${details["channel"] === "sms" ? "SMS" : "email"} to ${text(details["to"])}.`;

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** Draws the certificate: who signed what, when and from where, and the whole chain of evidence. */
function makeCertificatePage(contract: SealedContract, fingerprint: string): Promise<PdfDocument> {
  const document = sha256Of(contract.agreement).toString("hex");
  const foot = [
    `Certificate of signatures, booking ${contract.number}`,
    `Fingerprint of the agreement (SHA-256): ${document}`,
  ];
  return makePdf({ title: `Certificate of signatures ${contract.number}`, foot }, (page) => {
    page.title("Certificate of signatures");
    page.paragraph(`It belongs to the agreement of booking ${contract.number}, contract ${contract.contractId}.`);
    page.paragraph(`Fingerprint of the agreement (SHA-256): ${document}`);
    page.paragraph(`Fingerprint of the terms (SHA-256): ${contract.termsHash}`);
    for (const entry of contract.entries) {
      if (entry.side === null || (entry.kind !== "signed" && entry.kind !== "attested")) continue;
      page.heading(`${contract.names[entry.side]}, ${entry.side}`);
      if (entry.kind === "attested") {
        page.paragraph(
          `Attested by an administrator of the platform on ${entry.at}: the signature was given outside the platform.`,
        );
        page.paragraph(`Reason: ${text(entry.details["reason"])}`);
        page.paragraph(describePaper(entry));
        continue;
      }
      const method = text(entry.details["method"]);
      if (method === "clicked")
        page.paragraph(
          `Accepted by click as “${plainLine(text(entry.details["name"]))}” on ${entry.at} (UTC), with “${text(entry.details["words"])}” under this document; this party's settings ask for no signature.`,
        );
      else
        page.paragraph(
          `Signed as “${plainLine(text(entry.details["name"]))}” on ${entry.at} (UTC), ${methods[method] ?? method}.`,
        );
      if (entry.address) page.paragraph(`Network address: ${entry.address}. Program: ${entry.agent ?? "unknown"}`);
      const way = identifiedBy[text(entry.details["via"])];
      if (way) page.paragraph(`Identified by ${way}.`);
      const code = contract.entries.find(({ kind, side }) => kind === "code_verified" && side === entry.side);
      if (code) page.paragraph(describeCode(code));
      const provider = text(entry.details["provider"]);
      if (provider)
        page.paragraph(
          `Signing service: ${provider}, reference ${text(entry.details["reference"])}; it recorded the signature on ${text(entry.details["signed_at"])}.`,
        );
      const signedFile = text(entry.details["signed_document"]);
      if (signedFile) page.paragraph(`Fingerprint of the file that the service signed (SHA-256): ${signedFile}`);
      const drawing = text(entry.details["drawing"]);
      if (drawing) page.drawing(drawing, { width: 600, height: 200 });
    }
    page.heading("What happened");
    contract.entries.forEach((entry, index) => {
      const who = entry.side === null ? "" : ` by the ${entry.side}`;
      page.paragraph(`${entry.at} ${kinds[entry.kind]}${who}. ${contract.links[index]?.hash.toString("hex") ?? ""}`, {
        indent: 22,
        label: `${entry.number}`,
        small: true,
      });
    });
    page.paragraph(
      "Each line ends with a hash over its entry and all before it. The entries and the agreement are attached to this file; its electronic seal covers every byte.",
      { small: true },
    );
    page.paragraph(`Certificate of the seal (SHA-256): ${fingerprint}`, { small: true });
  });
}

export async function sealCopy(contract: SealedContract, seal: Seal, at: Date): Promise<PdfDocument> {
  const certificate = await makeCertificatePage(contract, seal.fingerprint);
  const pdf = await openPdf(contract.agreement);
  const pages = await openPdf(certificate.bytes);
  await pdf.copyPagesFrom(
    pages,
    Array.from({ length: certificate.pages }, (_, index) => index),
  );
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
