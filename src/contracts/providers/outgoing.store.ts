import { sql } from "kysely";
import { updateById, type Reader, type Tx } from "#platform/db/index.ts";
import { type DrawnAgreement, signersIn, storeAgreement } from "../issue.ts";
import {
  changeContract,
  insertSigners,
  lockContract,
  type LockedContract,
  selectContracts,
  storedText,
} from "../store.ts";
import { documentOf } from "../views.ts";

/** The lease of a process that sends a contract: longer than all calls of the sending. */
export const sendingLeaseSeconds = 120;

/** Fixes the document of a draft and claims it for this process. Returns undefined if it is no draft or another process sends it. */
export async function claimForSending(
  tx: Tx,
  claim: { bookingId: string; provider: string; drawn: DrawnAgreement; now: Date },
): Promise<{ contract: LockedContract; before: Date | null } | undefined> {
  const contract = await lockContract(tx, claim.bookingId);
  if (contract?.signed_status !== "draft") return undefined;
  const before = contract.provider_requested_at;
  if (before !== null && contract.next_try_at !== null && contract.next_try_at > claim.now) return undefined;
  await storeAgreement(tx, contract, claim.drawn, claim.now);
  await insertSigners(tx, contract.id, signersIn(contract.terms));
  await changeContract(tx, contract, {
    provider: claim.provider,
    provider_requested_at: before ?? claim.now,
    next_try_at: new Date(claim.now.getTime() + sendingLeaseSeconds * 1_000),
  });
  return { contract, before };
}

export async function claimedAgreement(reader: Reader, contract: LockedContract): Promise<DrawnAgreement | undefined> {
  if (contract.provider_requested_at === null) return undefined;
  const document = await documentOf(reader, contract.id, ["agreement"]);
  if (!document) return undefined;
  const text = await storedText(reader, contract.id);
  const { terms_hash: termsHash } = contract;
  return { termsHash, document, text, template: contract.template ?? "", firstSigner: contract.first_signer };
}

/** Releases a contract that the service rejected: another one may be chosen, and the document is drawn again with the current names. */
export async function releaseFromProvider(tx: Tx, bookingId: string): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (contract?.signed_status !== "draft") return;
  await tx
    .deleteFrom("contract_documents")
    .where("contract_id", "=", contract.id)
    .where("kind", "=", "agreement")
    .execute();
  await tx.deleteFrom("contract_signers").where("contract_id", "=", contract.id).execute();
  await changeContract(tx, contract, { provider_requested_at: null, document_hash: null, provider_cancel_from: null });
}

/** Withdraws a contract whose booking ended during the sending. An issued one does not change. */
export async function withdrawSent(tx: Tx, bookingId: string, ref: string, now: Date): Promise<void> {
  const contract = await lockContract(tx, bookingId);
  if (!contract || contract.signed_status === "sent") return;
  await changeContract(tx, contract, { provider_ref: ref, provider_cancel_from: now, provider_canceled_at: null });
}

export async function bookingOfRef(reader: Reader, provider: string, ref: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom("contracts")
    .select("booking_id")
    .where("provider", "=", provider)
    .where("provider_ref", "=", ref)
    .executeTakeFirst();
  return row?.booking_id;
}

/** Returns contracts that are open and not fetched since `since`. In random order, because failing ones must not block the others. */
export const openAtProvider = async (reader: Reader, since: Date, max: number): Promise<string[]> =>
  (
    await reader
      .selectFrom("contracts")
      .select("booking_id")
      .where("signed_status", "=", "sent")
      .where("provider_ref", "is not", null)
      .where("provider_cancel_from", "is", null)
      .where((eb) => eb.or([eb("provider_polled_at", "is", null), eb("provider_polled_at", "<=", since)]))
      .orderBy(sql`random()`)
      .limit(max)
      .execute()
  ).map(({ booking_id: id }) => id);

/** Claims contracts that are due for withdrawal at their service. Postpones each, because a failing one must not be retried immediately. */
export async function claimWithdrawals(tx: Tx, now: Date, max: number): Promise<LockedContract[]> {
  const contracts = await selectContracts(tx)
    .where("provider_cancel_from", "<=", now)
    .where("provider_canceled_at", "is", null)
    .orderBy("provider_cancel_from")
    .limit(max)
    .forUpdate()
    .skipLocked()
    .execute();
  const later = new Date(now.getTime() + sendingLeaseSeconds * 1_000);
  for (const contract of contracts) await changeContract(tx, contract, { provider_cancel_from: later });
  return contracts;
}

export const recordWithdrawal = (tx: Tx, contractId: string, outcome: { at: Date } | { error: string }) =>
  updateById(
    tx,
    "contracts",
    contractId,
    "at" in outcome ? { provider_canceled_at: outcome.at } : { last_error: outcome.error.slice(0, 500) },
  );
