/** Signing and declining over one fingerprint. The caller has locked the contract's booking. */

import { sql } from "kysely";
import { json, type Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import type { EvidenceEntry } from "../evidence/chain.ts";
import { type ContractSide, sidesInTurn } from "../rules/contract.rules.ts";
import {
  appendEvidence,
  changeContract,
  changeSigner,
  lockContract,
  type LockedContract,
  type Signer,
  signersOf,
  markLinksUsed,
} from "../store.ts";

/** How a party was identified: a one-use link of an email, its account, or a browser with a verified mailbox. */
export type SigningMethod = "link" | "session" | "mailbox";

export type RequestOrigin = Readonly<{ address: string | null; agent: string | null }>;

/** How a party signs: by typing the name, or also by drawing (SVG path data in a box of 600 by 200). */
export type SignatureInput = Readonly<{
  side: ContractSide;
  name: string;
  drawing: string | null;
  /** The party pressed "I accept" without a signature. `name` is then the one in the contract. */
  clicked?: boolean;
  documentHash: string;
  via: SigningMethod;
  origin: RequestOrigin;
}>;

export const contractConflict = (message: string, contract: LockedContract) =>
  conflict(message, { data: { signed_status: contract.signed_status } });

/** Throws a conflict (409) for a contract that is not open, or for another document than the current one. */
export function requireOpenContract(contract: LockedContract, documentHash: string, now: Date): void {
  if (contract.signed_status === "signed") throw contractConflict("This contract is already signed.", contract);
  if (contract.signed_status === "declined") throw contractConflict("This contract was declined.", contract);
  if (contract.signed_status !== "sent") throw contractConflict("This contract has not been sent yet.", contract);
  if (contract.expires_at !== null && contract.expires_at <= now)
    throw contractConflict("The time for signing is over.", contract);
  if (contract.document_hash === null || contract.document_hash !== documentHash)
    throw contractConflict("The document is not the one that you were shown. Reload the page and read it.", contract);
}

/** Locks the contract that this party can sign or decline here. Throws a conflict (409) if it is not open, is signed at a service or by this party, or for signing out of order. `documentHash` null: none was shown. */
export async function requireUnsigned(
  tx: Tx,
  {
    bookingId,
    side,
    documentHash,
    now,
    declines = false,
  }: { bookingId: string; side: ContractSide; documentHash: string | null; now: Date; declines?: boolean },
): Promise<LockedContract & { signers: readonly Signer[] }> {
  const contract = await lockContract(tx, bookingId);
  if (!contract) throw new Error(`booking ${bookingId} has no contract to sign`);
  requireOpenContract(contract, documentHash ?? contract.document_hash ?? "", now);
  const signers = await signersOf(tx, contract.id);
  if (signers.some((one) => one.side === side && one.signed_at !== null))
    throw contractConflict("You have signed this contract already.", contract);
  const unsigned = signers.filter((one) => one.signed_at === null).map((one) => one.side);
  const isTooEarly = unsigned.includes(side) && !sidesInTurn(contract.first_signer, unsigned).includes(side);
  if (isTooEarly && !declines)
    throw contractConflict(
      `The ${contract.first_signer ?? ""} signs first. We email you when it is your turn.`,
      contract,
    );
  // A contract at a service is signed and declined there, once it is this party's turn.
  if (contract.provider_ref !== null && !isTooEarly)
    throw contractConflict("This contract is signed at the signing service. Follow the link on this page.", contract);
  return Object.assign(contract, { signers });
}

/** Signs for one party. Returns whether all have signed. Throws 409 for a second signature or a contract that is not open. */
export async function signContract(tx: Tx, bookingId: string, input: SignatureInput, now: Date) {
  const contract = await requireUnsigned(tx, { ...input, bookingId, now });
  const { signers } = contract;
  if (!signers.some((one) => one.side === input.side))
    throw new Error(`the contract ${contract.id} has no signer for the ${input.side}`);
  const entry = { side: input.side, at: now, ...input.origin };
  await appendEvidence(tx, contract, { ...entry, kind: "consented", details: { via: input.via } });
  const method = input.clicked ? "clicked" : input.drawing === null ? "typed" : "drawn";
  await appendEvidence(tx, contract, {
    ...entry,
    kind: "signed",
    details: {
      name: input.name,
      method,
      via: input.via,
      ...(input.clicked ? { words: "I accept" } : {}),
      ...(input.drawing === null ? {} : { drawing: input.drawing }),
    },
  });
  const document = Buffer.from(input.documentHash, "hex");
  const { side, name: signed_name, drawing } = input;
  await changeSigner(tx, contract.id, side, {
    signed_name,
    method,
    drawing,
    document_sha256: document,
    signed_at: now,
  });
  await markLinksUsed(tx, contract.id, input.side, now);
  const complete = signers.every(
    ({ side, document_sha256: hash }) => side === input.side || (hash !== null && document.equals(hash)),
  );
  if (complete) await changeContract(tx, contract, { signed_status: "signed", signed_at: now });
  return { complete, contract };
}

export async function declineContract(
  tx: Tx,
  bookingId: string,
  input: { side: ContractSide; reason: string; documentHash: string; via: SigningMethod; origin: RequestOrigin },
  now: Date,
): Promise<void> {
  const contract = await requireUnsigned(tx, { ...input, bookingId, now, declines: true });
  // During another party's turn at a service, it is declined here and withdrawn there.
  await withdrawFromProvider(tx, contract, now);
  const { side, reason, via, origin } = input;
  await recordDecline(tx, contract, { side, reason, now, origin, details: { reason, via } });
}

/** Records a decline of a locked contract in the evidence. Its links become invalid. `origin`: of a decline here. */
export async function recordDecline(
  tx: Tx,
  contract: LockedContract,
  declined: {
    side: ContractSide;
    reason: string;
    now: Date;
    origin?: RequestOrigin;
    details: EvidenceEntry["details"];
  },
): Promise<void> {
  const { side, reason, now, origin, details } = declined;
  await appendEvidence(tx, contract, { kind: "declined", side, at: now, ...origin, details });
  await changeContract(tx, contract, {
    signed_status: "declined",
    declined_at: now,
    declined_by: side,
    decline_reason: reason,
  });
  await markLinksUsed(tx, contract.id, null, now);
}

/** Voids an open contract of a booking that ended. Given signatures stay in the evidence. */
export async function voidContract(tx: Tx, bookingId: string, why: { code: string; now: Date }): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (!contract) return;
  await withdrawFromProvider(tx, contract, why.now);
  if (contract.signed_status !== "sent") return;
  await appendEvidence(tx, contract, { kind: "voided", at: why.now, details: { code: why.code } });
  await changeContract(tx, contract, { expires_at: why.now });
  await markLinksUsed(tx, contract.id, null, why.now);
}

export async function withdrawFromProvider(tx: Tx, contract: LockedContract, now: Date): Promise<void> {
  const decided = contract.signed_status === "signed" || contract.signed_status === "declined";
  if (decided || contract.provider_requested_at === null || contract.provider_cancel_from !== null) return;
  await changeContract(tx, contract, { provider_cancel_from: now });
}

export async function recordOpened(
  tx: Tx,
  bookingId: string,
  opened: { side: ContractSide; via: SigningMethod; origin: RequestOrigin; now: Date },
): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (contract?.signed_status !== "sent" || contract.document_hash === null) return;
  const known = await tx
    .selectFrom("contract_events")
    .select("entry")
    .where("contract_id", "=", contract.id)
    .where(sql<boolean>`entry::jsonb @> ${json({ kind: "opened", side: opened.side })}`)
    .executeTakeFirst();
  if (known) return;
  await appendEvidence(tx, contract, {
    kind: "opened",
    side: opened.side,
    at: opened.now,
    ...opened.origin,
    details: { via: opened.via },
  });
}

/** Records that the promoter's address was corrected after the contract was sent. The agreement still has the former one. */
export async function recordCorrectedEmail(tx: Tx, bookingId: string, { email, now }: { email: string; now: Date }) {
  const contract = await lockContract(tx, bookingId);
  if (contract?.signed_status === "sent")
    await appendEvidence(tx, contract, { kind: "email_corrected", side: "promoter", at: now, details: { email } });
}
