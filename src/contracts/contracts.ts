/** What one can do with a contract. It knows a booking by its id only. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Tx } from "#platform/db/index.ts";
import type { ContractTerms } from "./rules.ts";
import { findOrInsertContract } from "./store.ts";

/** The fingerprint of terms: SHA-256 of their canonical JSON (RFC 8785), in hex. Equal terms, equal fingerprint. */
export function termsHash(terms: ContractTerms): string {
  const text = canonicalize(terms);
  if (text === undefined) throw new Error("these terms cannot be written down as JSON");
  return createHash("sha256").update(text).digest("hex");
}

/** Drafts the contract of a booking with its snapshot of terms; a booking that has one keeps it unchanged. */
export const draftContract = (tx: Tx, draft: { bookingId: string; terms: ContractTerms; provider: string }) =>
  findOrInsertContract(tx, { ...draft, termsHash: termsHash(draft.terms) });
