/** Checks a signed copy without a server: the signature, that it covers the whole file, the evidence and the agreement. */

import { verify, X509Certificate } from "node:crypto";
import { BaseBlock, fromBER, OctetString } from "asn1js";
import { type Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo } from "pkijs";
import { z } from "zod";
import { errorMessage } from "#platform/errors.ts";
import { plainLine } from "#platform/security/plain-name.rules.ts";
import { sha256Of } from "../documents/hash.ts";
import { openPdf } from "../documents/pdf-library.ts";
import { checkChain, type EvidenceEntry, signatureOf } from "../evidence/chain.ts";
import { fingerprintOf } from "./certificate.ts";
import { attachments } from "./sealing.ts";

export type Verification = Readonly<{ valid: boolean; lines: readonly string[] }>;

class Fault extends Error {}

const evidenceFile = z.object({
  format: z.literal(1),
  contract: z.string(),
  number: z.string(),
  document: z.string(),
  chain: z.array(z.object({ entry: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/) })),
});

/** Checks the digital signature alone: that it covers the whole file, and that no byte was changed. Returns why not, or null. */
export function findSealFault(bytes: Buffer): string | null {
  try {
    const { signed, cms } = rangesOf(bytes);
    requireSeal(signed, cms);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

export async function verifySealedCopy(bytes: Buffer): Promise<Verification> {
  const lines: string[] = [];
  try {
    const { signed, cms } = rangesOf(bytes);
    lines.push("The seal covers the whole file.");
    const certificate = requireSeal(signed, cms);
    lines.push("The seal is intact: no byte was changed after sealing.");
    lines.push(`Certificate of the seal (SHA-256): ${fingerprintOf(certificate)}`);
    const pdf = await openPdf(bytes);
    const agreement = pdf.getAttachment(attachments.agreement);
    const evidence = readEvidence(pdf.getAttachment(attachments.evidence));
    if (!agreement) throw new Fault("The agreement is not attached.");
    const links = evidence.chain.map(({ entry, hash }) => ({ entry, hash: Buffer.from(hash, "hex") }));
    const chain = checkChain(evidence.contract, links);
    if ("fault" in chain) throw new Fault(chain.fault);
    lines.push(`The evidence is a complete chain of ${chain.entries.length} entries.`);
    const hash = sha256Of(agreement).toString("hex");
    if (hash !== evidence.document) throw new Fault("The attached agreement is not the one that the evidence names.");
    lines.push(`The agreement has the fingerprint ${hash}.`, ...signaturesIn(chain.entries, hash));
    lines.push(...serviceFileIn(chain.entries, pdf.getAttachment(attachments.signedFile)));
    lines.push(
      `Booking ${evidence.number}: VALID. Its fingerprint shows whether the seal belongs to this installation: compare it with the one on the site.`,
    );
    return { valid: true, lines };
  } catch (error) {
    const message = error instanceof Fault ? error.message : `The file cannot be read: ${String(error)}`;
    return { valid: false, lines: [...lines, message, "NOT VALID."] };
  }
}

function serviceFileIn(entries: readonly EvidenceEntry[], file: Uint8Array | null): string[] {
  const named = entries.map(({ details }) => details["signed_document"]).find((hash) => typeof hash === "string");
  if (named === undefined && !file) return [];
  if (!file || sha256Of(file).toString("hex") !== named)
    throw new Fault("The attached file of the signing service is not the one that the evidence names.");
  return [`The file of the signing service has the fingerprint ${named}.`];
}

function signaturesIn(entries: readonly EvidenceEntry[], hash: string): string[] {
  return (["promoter", "artist"] as const).map((side) => {
    const action = signatureOf(entries, side);
    if (!action) throw new Fault(`There is no signature of the ${side}.`);
    if (action.document !== hash) throw new Fault(`The ${side} has signed another document.`);
    const { name, method } = action.details;
    if (action.kind === "attested") {
      const { paper } = action.details;
      const by = typeof paper === "string" ? ` The signed paper has the fingerprint ${paper}.` : "";
      return `The signature of the ${side} was attested by an admin on ${action.at}.${by}`;
    }
    if (method === "clicked") return `The ${side} accepted by click, as “${plainLine(String(name))}”, on ${action.at}.`;
    if (method === "recorded") return `The signature of the ${side} is recorded for ${action.at}, without proof.`;
    const coded = entries.some((entry) => entry.side === side && entry.kind === "code_verified");
    return `The ${side} signed as “${plainLine(String(name))}” on ${action.at}${coded ? ", confirmed by a one-time code" : ""}.`;
  });
}

/** Returns the signed bytes and the signature. The byte range must leave out the signature's own digits and nothing else. */
function rangesOf(bytes: Buffer): { signed: Buffer; cms: Buffer } {
  const found = [...bytes.toString("latin1").matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)];
  if (found.length === 0) throw new Fault("The file has no seal.");
  if (found.length > 1) throw new Fault("The file has more than one seal; a sealed copy has one.");
  const [start = 0, length = 0, next = 0, rest = 0] = (found[0] ?? []).slice(1).map(Number);
  if (start !== 0 || next + rest !== bytes.length || next <= length)
    throw new Fault("The seal does not cover the whole file: something was added, or left out.");
  const digits = bytes.subarray(length, next).toString("latin1");
  if (!/^<[0-9A-F]+>$/.test(digits)) throw new Fault("The seal leaves out more than its own signature.");
  return {
    signed: Buffer.concat([bytes.subarray(0, length), bytes.subarray(next)]),
    cms: Buffer.from(digits.slice(1, -1), "hex"),
  };
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const sha256Id = "2.16.840.1.101.3.4.2.1";
const messageDigestId = "1.2.840.113549.1.9.4";

const signingCertificateId = "1.2.840.113549.1.9.16.2.47";
const dataId = "1.2.840.113549.1.7.1";
const signedDataId = "1.2.840.113549.1.7.2";
const rsaIds: readonly string[] = ["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.11"];

const bytesOf = (value: unknown): ArrayBuffer => (value instanceof BaseBlock ? value.toBER() : new ArrayBuffer(0));

/** Returns true if the unsigned parts of the container equal those of our own signatures. */
function isPlain(data: SignedData, signer: SignerInfo, certificate: Certificate): boolean {
  const { sid } = signer;
  const digests = data.digestAlgorithms.map(({ algorithmId }) => algorithmId);
  return (
    data.version === 1 &&
    signer.version === 1 &&
    digests.length === 1 &&
    digests[0] === sha256Id &&
    data.encapContentInfo.eContentType === dataId &&
    data.encapContentInfo.eContent === undefined &&
    data.certificates?.length === 1 &&
    !data.crls?.length &&
    signer.unsignedAttrs === undefined &&
    rsaIds.includes(signer.signatureAlgorithm.algorithmId) &&
    sid instanceof IssuerAndSerialNumber &&
    sid.serialNumber.isEqual(certificate.serialNumber) &&
    sid.issuer.isEqual(certificate.issuer)
  );
}

function requireSeal(signed: Buffer, cms: Buffer): Uint8Array {
  const parsed = fromBER(bufferOf(cms));
  if (parsed.offset === -1) throw new Fault("The seal cannot be read.");
  // The gap after the signature is filled with zeros. Other bytes would be hidden there.
  if (cms.subarray(parsed.offset).some((byte) => byte !== 0)) throw new Fault("Something is hidden behind the seal.");
  const broken = new Fault("The seal is broken: the file was changed after sealing.");
  // Encoded again it must be equal: a parser that ignores a wrong length would ignore a change.
  const again = Buffer.from(new ContentInfo({ schema: parsed.result }).toSchema().toBER());
  if (!again.equals(Buffer.from(parsed.result.toBER())) || !again.equals(cms.subarray(0, again.length))) throw broken;
  const content = new ContentInfo({ schema: parsed.result });
  if (content.contentType !== signedDataId) throw broken;
  const data = new SignedData({ schema: content.content });
  const [certificate] = data.certificates ?? [];
  const [signer, ...others] = data.signerInfos;
  if (!signer?.signedAttrs || others.length > 0 || signer.digestAlgorithm.algorithmId !== sha256Id) throw broken;
  if (!certificate || !("subjectPublicKeyInfo" in certificate)) throw broken;
  if (!isPlain(data, signer, certificate)) throw broken;
  const digest: unknown = signer.signedAttrs.attributes.find(({ type }) => type === messageDigestId)?.values[0];
  if (!(digest instanceof OctetString) || !sha256Of(signed).equals(Buffer.from(digest.getValue()))) throw broken;
  const der = new Uint8Array(certificate.toSchema().toBER());
  const attributes = new Uint8Array(signer.signedAttrs.encodedValue);
  const signature = new Uint8Array(signer.signature.getValue());
  // The signature names its certificate by hash (ESS signing-certificate-v2): no byte of it can be exchanged.
  const named = signer.signedAttrs.attributes.find(({ type }) => type === signingCertificateId)?.values ?? [];
  const certificateHash = sha256Of(der);
  if (!named.some((value) => Buffer.from(bytesOf(value)).includes(certificateHash))) throw broken;
  if (!verify("sha256", attributes, new X509Certificate(der).publicKey, signature)) throw broken;
  return der;
}

function readEvidence(file: Uint8Array | null) {
  if (!file) throw new Fault("The evidence is not attached.");
  const read = evidenceFile.safeParse(JSON.parse(Buffer.from(file).toString("utf8")));
  if (!read.success) throw new Fault("The attached evidence cannot be read.");
  return read.data;
}
