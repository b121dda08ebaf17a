import type { Tx } from "#platform/db/index.ts";
import type { ContractSide } from "../rules/contract.rules.ts";
import { recordDecline } from "../signing/signatures.ts";
import {
  appendEvidence,
  changeContract,
  changeSigner,
  insertDocument,
  lockContract,
  type LockedContract,
  type Signer,
  signersOf,
  markLinksUsed,
} from "../store.ts";
import { requireEvidence } from "../views.ts";
import { externalIdOf, inSigningOrder, type ProviderState, type SignerState } from "./provider.ts";
import type { CheckedDocument } from "./signed-document.ts";

export type ProviderChange = Readonly<{
  signed: readonly ContractSide[];
  complete: boolean;
  /** All have signed at the service, and the last signature waits for the check of its file. */
  held: boolean;
  declined: Readonly<{ side: ContractSide; reason: string }> | null;
  /** The service ended it although the contract is open here. */
  ended: "expired" | "voided" | null;
  alarm: string | null;
}>;

const nothing: ProviderChange = { signed: [], complete: false, held: false, declined: null, ended: null, alarm: null };

/** Returns a storable text of the service: PostgreSQL accepts no NUL, and the evidence no half of a surrogate pair. */
const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

type StateUpdate = Readonly<{
  state: ProviderState;
  /** The signed file, once all have signed at the service. Null until it is fetched. */
  signed: CheckedDocument | null;
  open: boolean;
  now: Date;
}>;

/** Applies a service's state, the same one once, under the booking's lock. Signatures of another text than the sent one require manual review. */
export async function applyProviderState(tx: Tx, bookingId: string, update: StateUpdate): Promise<ProviderChange> {
  const contract = await lockContract(tx, bookingId);
  const { state, now } = update;
  if (!contract || contract.provider_ref !== state.ref)
    throw new Error(`the service's ${state.ref} is not that of the contract of booking ${bookingId}`);
  await changeContract(tx, contract, { provider_polled_at: now });
  const hash = Buffer.from(contract.document_hash ?? "", "hex");
  if (state.externalId !== externalIdOf(contract.id, hash))
    return raise(tx, contract, update, "the signing service holds another document than the one that was sent");
  if (contract.signed_status !== "sent" || !update.open) {
    await storeEvidence(tx, contract, update);
    return nothing;
  }
  const declined = state.signers.find(({ declinedAt }) => declinedAt !== null);
  if (state.status === "declined" && declined) return decline(tx, contract, declined, now);
  const applied = await applySignatures(tx, contract, update);
  if (applied.alarm !== null || applied.complete) return applied;
  const ended = state.status === "expired" || state.status === "voided" ? state.status : null;
  if (ended !== "voided") return { ...applied, ended };
  // Withdrawn in the service's own pages. An admin decides what follows.
  const { alarm } = await raise(tx, contract, update, "the contract was withdrawn at the signing service, not here");
  return { ...applied, ended, alarm };
}

async function applySignatures(tx: Tx, contract: LockedContract, update: StateUpdate): Promise<ProviderChange> {
  const { state, signed, now } = update;
  const signers = await signersOf(tx, contract.id);
  const reported = state.signers.filter(
    ({ side, signedAt }) => signedAt !== null && !signers.find((one) => one.side === side)?.signed_at,
  );
  const fresh = inSigningOrder(reported, contract.first_signer);
  const missing = signers.filter((one) => !one.signed_at && !fresh.some(({ side }) => side === one.side));
  const last = missing.length === 0 && signers.length > 0;
  if (last && signed && "fault" in signed) return raise(tx, contract, update, signed.fault);
  // The last signature waits until the service has finished the file and it was checked.
  const counted = last && !(signed && state.status === "completed") ? fresh.slice(0, -1) : fresh;
  const complete = last && counted.length === fresh.length;
  const file = complete && signed && !("fault" in signed) ? signed : null;
  for (const [index, signer] of counted.entries()) {
    const withFile = index === counted.length - 1 ? file : null;
    await applySignature(tx, contract, signer, { update, signers, signedDocument: withFile?.sha256.toString("hex") });
  }
  const held = last && counted.length < fresh.length;
  if (!file) return { ...nothing, signed: counted.map(({ side }) => side), held };
  await insertDocument(tx, { contractId: contract.id, kind: "provider", ...file, now });
  await changeContract(tx, contract, { signed_status: "signed", signed_at: now });
  return { ...nothing, signed: counted.map(({ side }) => side), complete: true };
}

async function applySignature(
  tx: Tx,
  contract: LockedContract,
  signer: SignerState,
  by: { update: StateUpdate; signers: readonly Signer[]; signedDocument: string | undefined },
): Promise<void> {
  const { update, signers, signedDocument } = by;
  const { state, now } = update;
  const { side } = signer;
  const name = clean(signer.name ?? signers.find((one) => one.side === side)?.name ?? "");
  await appendEvidence(tx, contract, {
    kind: "signed",
    side,
    at: now,
    details: {
      name,
      method: "provider",
      provider: contract.provider,
      reference: state.ref,
      signed_at: signer.signedAt?.toISOString() ?? null,
      ...(signedDocument ? { signed_document: signedDocument } : {}),
    },
  });
  const document = Buffer.from(contract.document_hash ?? "", "hex");
  const signature = { signed_name: name, method: "provider", document_sha256: document, signed_at: now } as const;
  await changeSigner(tx, contract.id, side, signature);
  await markLinksUsed(tx, contract.id, side, now);
}

const noReason = "No reason was given at the signing service.";

async function decline(tx: Tx, contract: LockedContract, signer: SignerState, now: Date): Promise<ProviderChange> {
  // Cut first, because the cut may split a surrogate pair.
  const reason = clean((signer.reason ?? "").trim().slice(0, 1_000)).trim() || noReason;
  const { side } = signer;
  const details = { reason, provider: contract.provider, reference: contract.provider_ref };
  await recordDecline(tx, contract, { side, reason, now, details });
  return { ...nothing, declined: { side, reason } };
}

/** Stores signatures and declines after the decision about the contract, once each. */
async function storeEvidence(tx: Tx, contract: LockedContract, { state, signed, now }: StateUpdate): Promise<void> {
  const known = await signersOf(tx, contract.id);
  const reported = await reportedIn(tx, contract.id);
  for (const { side, signedAt, declinedAt } of state.signers) {
    const at = signedAt ?? declinedAt;
    const counted = known.find((one) => one.side === side)?.method === "provider" || contract.declined_by === side;
    const what = signedAt ? "signed" : "declined";
    if (!at || counted || reported.has(`${side} ${what}`)) continue;
    await appendEvidence(tx, contract, {
      kind: "reported",
      side,
      at: now,
      details: { what, provider: contract.provider, reference: state.ref, at: at.toISOString() },
    });
  }
  // The file that both signed too late is stored as evidence, without any effect.
  if (signed && !("fault" in signed) && contract.signed_status !== "signed")
    await insertDocument(tx, { contractId: contract.id, kind: "provider", ...signed, now });
}

async function raise(tx: Tx, contract: LockedContract, update: StateUpdate, message: string): Promise<ProviderChange> {
  if (contract.provider_alarm === message) return nothing;
  await appendEvidence(tx, contract, {
    kind: "reported",
    at: update.now,
    details: { what: "alarm", message, provider: contract.provider, reference: update.state.ref },
  });
  await changeContract(tx, contract, { provider_alarm: message });
  return { ...nothing, alarm: message };
}

async function reportedIn(tx: Tx, contractId: string): Promise<Set<string>> {
  return new Set(
    (await requireEvidence(tx, contractId))
      .filter(({ kind }) => kind === "reported")
      .map(({ side, details }) => `${side ?? ""} ${String(details["what"] ?? "")}`),
  );
}
