/** An admin gives a dispute up instead of answering it: the provider is told, and the loss is synced like any other. */
import { randomUUID } from "node:crypto";
import { notFound, Problem } from "#platform/errors.ts";
import { type Payments, ProviderFailure } from "../gateway.ts";
import type { ProviderDispute } from "./dispute-gateway.ts";
import { recordDispute } from "./dispute-sync.ts";
import { isClosed, mayAccept } from "./disputes.rules.ts";
import { lockDispute } from "./disputes.store.ts";
import { lockEvidence } from "./evidence.store.ts";

/**
 * Gives a dispute up at the provider, outside any transaction, and syncs the loss. Answers whether this call has closed it: what was closed
 * meanwhile, as by an earlier call whose answer was lost, is only synced. Refuses a dispute that is decided, is being answered, or that the
 * provider does not close.
 */
export async function acceptDispute(services: Payments, disputeId: string): Promise<boolean> {
  const { gateway } = services;
  const ref = await requireAcceptable(services, disputeId);
  if (!gateway) throw new Problem("unavailable", "Payments are not set up yet.");
  const known = await asking(services, ref, () => gateway.retrieveDispute(ref));
  const isOpen = !isClosed(known.status);
  // Evidence that was sent while the provider was asked is not thrown away.
  if (isOpen) await requireAcceptable(services, disputeId);
  const key = `${ref}:${randomUUID()}`;
  const now = isOpen ? await asking(services, ref, () => gateway.acceptDispute({ dispute: ref, key })) : known;
  await recordDispute(services, gateway, now);
  return isOpen;
}

/** Refuses a dispute that can not be accepted as it stands under its lock, with its evidence. Answers the provider's reference. */
const requireAcceptable = ({ database }: Payments, disputeId: string): Promise<string> =>
  database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, disputeId);
    if (!dispute) throw notFound("Dispute not found");
    const evidence = await lockEvidence(tx, disputeId);
    if (!mayAccept({ ...dispute, hasEvidence: evidence !== undefined && evidence.status !== "failed" }))
      throw new Problem("conflict", "This dispute can no longer be accepted: it was answered, or is decided.");
    return dispute.provider_ref;
  });

async function asking({ log }: Payments, ref: string, work: () => Promise<ProviderDispute>): Promise<ProviderDispute> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, dispute: ref }, "a dispute could not be accepted");
    throw error.kind === "refused" || error.kind === "missing"
      ? new Problem("conflict", `The payment provider refused it: ${error.message}`)
      : new Problem("unavailable", "The payment provider did not answer. Please try again in a few minutes.");
  }
}
