/** The evidence of a contract: its events in one chain of hashes. A changed, lost or moved entry breaks every later one. */

import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";

/** "reported": a signing service reported it after a different decision here. It signs nothing. */
export const evidenceKinds = [
  "sent",
  "opened",
  "code_sent",
  "code_verified",
  "consented",
  "signed",
  "attested",
  "objected",
  "objection_decided",
  "email_corrected",
  "declined",
  "voided",
  "reported",
] as const;

/** One entry. `at` is UTC. `address` and `agent` are those of the request, null for scheduled jobs and the operator. */
export const evidenceEntry = z.strictObject({
  contract: z.uuid(),
  number: z.int().positive(),
  kind: z.enum(evidenceKinds),
  side: z.enum(["promoter", "artist"]).nullable(),
  at: z.iso.datetime(),
  address: z.string().nullable(),
  agent: z.string().nullable(),
  document: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type EvidenceEntry = z.infer<typeof evidenceEntry>;
export type Link = Readonly<{ entry: string; hash: Buffer }>;

/** Returns the text that is hashed: RFC 8785, because equal entries must have equal texts. */
export function entryText(entry: EvidenceEntry): string {
  const text = canonicalize(entry);
  if (text === undefined) throw new Error("this entry cannot be written down as JSON");
  return text;
}

export const linkHash = (before: Uint8Array, text: string): Buffer =>
  createHash("sha256").update(before).update(text, "utf8").digest();

export function checkChain(contract: string, links: readonly Link[]): { entries: EvidenceEntry[] } | { fault: string } {
  let before: Buffer = Buffer.alloc(0);
  const entries: EvidenceEntry[] = [];
  for (const [index, link] of links.entries()) {
    const number = index + 1;
    if (!linkHash(before, link.entry).equals(link.hash))
      return { fault: `Entry ${number} of the evidence was changed, or one before it is missing.` };
    const read = readEntry(link.entry);
    if (!read) return { fault: `Entry ${number} of the evidence cannot be read.` };
    if (read.number !== number || read.contract !== contract)
      return { fault: `Entry ${number} of the evidence belongs to another place or another contract.` };
    entries.push(read);
    before = link.hash;
  }
  return { entries };
}

/** Returns the signature of a party, or its attestation. The last one counts: an attestation can be annulled and the contract signed again. */
export const signatureOf = (entries: readonly EvidenceEntry[], side: EvidenceEntry["side"]) =>
  entries.findLast((entry) => entry.side === side && (entry.kind === "signed" || entry.kind === "attested"));

function readEntry(text: string): EvidenceEntry | undefined {
  try {
    const read = evidenceEntry.safeParse(JSON.parse(text));
    return read.success && entryText(read.data) === text ? read.data : undefined;
  } catch {
    return undefined;
  }
}
