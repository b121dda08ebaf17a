/** The states of a contract under generated actions in any order. TEST_DEEP=1 runs 20,000 of them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freshDatabase } from "#test/database.ts";
import { sha256Of } from "../documents/hash.ts";
import { checkChain } from "../evidence/chain.ts";
import { canonicalHash, draftContract, issueContract } from "../issue.ts";
import type { ContractTerms } from "../rules.ts";
import { findContract, linksOf, signersOf } from "../store.ts";
import { attestContract, objectToAttestation, storeSignedDocument } from "./attestations.ts";
import { declineContract, recordOpened, signContract, voidContract } from "./signatures.ts";
import { changeSigningWindow } from "./signing-windows.ts";

const runs = process.env["TEST_DEEP"] === "1" ? 20_000 : 100;
const begin = new Date("2026-11-22T12:00:00Z");
const startsAt = new Date(begin.getTime() + 60 * dayMs);

const place = closeAfterFile(await freshDatabase());

const terms = {
  artist: { id: "a", name: "Electric Dreams" },
  promoter: { name: "Robin Vale", email: "robin@example.test", phone: "1" },
  event: { date: "2027-02-13", venueName: "The Waterworks" },
} as ContractTerms;
const document = { bytes: Buffer.from("agreement"), sha256: sha256Of(Buffer.from("agreement")), pages: 1 };
const shown = document.sha256.toString("hex");
const paperBytes = Buffer.from("paper");
const paper = { bytes: paperBytes, sha256: sha256Of(paperBytes), pages: 1, media_type: "application/pdf" as const };
const origin = { address: "203.0.113.7", agent: "a browser" };
const side = fc.constantFrom("promoter" as const, "artist" as const);
/** Mostly the document of the page, sometimes another one. */
const documentHash = fc.constantFrom(shown, shown, shown, "0".repeat(64));

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("sign" as const), side, documentHash, drawn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("decline" as const), side, documentHash }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("void" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), side }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("paper" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("attest" as const), stored: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("object" as const), side }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 9 }) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Runs one action. An error must leave everything unchanged. */
async function take(tx: Tx, bookingId: string, given: Action, now: Date): Promise<void> {
  switch (given.kind) {
    case "sign":
      await signContract(
        tx,
        bookingId,
        { ...given, name: "A. Signer", drawing: given.drawn ? "M1,1L9,9" : null, via: "link", origin },
        now,
      );
      return;
    case "decline":
      return declineContract(tx, bookingId, { ...given, reason: "No.", via: "link", origin }, now);
    case "void":
      return voidContract(tx, bookingId, { code: "other", now });
    case "open":
      return recordOpened(tx, bookingId, { side: given.side, via: "link", origin, now });
    case "paper":
      return storeSignedDocument(tx, bookingId, paper, now);
    case "attest":
      return attestContract(
        tx,
        bookingId,
        {
          reason: "Signed on paper.",
          paper: given.stored ? paper.sha256.toString("hex") : "1".repeat(64),
          by: { name: "Admin", userId: crypto.randomUUID() },
          origin,
        },
        now,
      );
    case "object":
      await objectToAttestation(tx, bookingId, { side: given.side, reason: "No.", via: "session", origin }, now);
      return;
    case "wait":
      await changeSigningWindow(tx, bookingId, { startsAt, now });
  }
}

async function requireTruth(tx: Tx, bookingId: string): Promise<void> {
  const contract = await findContract(tx, bookingId);
  if (!contract) throw new Error("the contract is gone");
  const chain = checkChain(contract.id, await linksOf(tx, contract.id));
  if ("fault" in chain) throw new Error(chain.fault);
  const signers = await signersOf(tx, contract.id);
  const signed = signers.filter(({ signed_at: at }) => at !== null);
  for (const { side: who, document_sha256: hash, method } of signed) {
    const entries = chain.entries.filter(
      ({ kind, side: by }) => by === who && (kind === "signed" || kind === "attested"),
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]?.kind).toBe(method === "attested" ? "attested" : "signed");
    expect(entries[0]?.document).toBe(contract.document_hash);
    expect(Buffer.from(hash ?? []).toString("hex")).toBe(contract.document_hash);
    if (method === "attested") expect(entries[0]?.details["paper"]).toBe(paper.sha256.toString("hex"));
  }
  expect(contract.document_hash).toBe(shown);
  expect(contract.signed_status === "signed").toBe(signed.length === 2);
  expect(contract.signed_status === "declined").toBe(chain.entries.some(({ kind }) => kind === "declined"));
}

const reached = new Map<string, number>();

test(
  `signs only with all signatures or attestations over one document, irrevocably (${runs} generated runs)`,
  { timeout: 3_600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 9 }), (acts) =>
        place.database.transaction(async (tx) => {
          const bookingId = crypto.randomUUID();
          await draftContract(tx, { bookingId, terms });
          await issueContract(tx, {
            bookingId,
            drawn: { termsHash: canonicalHash(terms), document, text: null, template: "standard 1", firstSigner: null },
            startsAt,
            now: begin,
          });
          let now = begin;
          let before = "sent";
          for (const given of acts) {
            if (given.kind === "wait") now = new Date(now.getTime() + given.days * dayMs);
            try {
              await take(tx, bookingId, given, now);
            } catch (error) {
              if (!(error instanceof Problem)) throw error;
            }
            const status = (await findContract(tx, bookingId))?.signed_status ?? "gone";
            if (before !== "sent") expect(status).toBe(before);
            before = status;
          }
          await requireTruth(tx, bookingId);
          reached.set(before, (reached.get(before) ?? 0) + 1);
        }),
      ),
      { numRuns: runs },
    );
    // The runs must have reached every state.
    for (const status of ["sent", "signed", "declined"]) expect(reached.get(status) ?? 0, status).toBeGreaterThan(0);
  },
);
