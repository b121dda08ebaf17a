/** An admin gives a dispute up instead of answering it: the provider is told, and the loss is synced like any other. */
import { randomUUID } from "node:crypto";
import { notFound, Problem } from "#platform/errors.ts";
import { type PaymentGateway, type Payments, ProviderFailure } from "../gateway.ts";
import type { ProviderDispute } from "./dispute-gateway.ts";
import { recordDispute } from "./dispute-sync.ts";
import { isClosed, mayAccept } from "./disputes.rules.ts";

/**
 * Gives a dispute up at the provider, outside any transaction, and syncs the loss. Safe to repeat after a lost answer: what the provider has
 * closed meanwhile is only synced. Refuses a dispute that is decided, is being answered, or that the provider does not close.
 */
export async function acceptDispute(services: Payments, disputeId: string): Promise<void> {
  const { gateway, database } = services;
  const dispute = await database.db
    .selectFrom("disputes as d")
    .leftJoin("dispute_evidence as v", (on) => on.onRef("v.dispute_id", "=", "d.id").on("v.status", "<>", "failed"))
    .select(["d.status", "d.submissions", "d.provider_ref", "v.id as evidence"])
    .where("d.id", "=", disputeId)
    .executeTakeFirst();
  if (!dispute) throw notFound("Dispute not found");
  if (!mayAccept({ ...dispute, hasEvidence: dispute.evidence !== null }))
    throw new Problem("conflict", "This dispute can no longer be accepted: it was answered, or is decided.");
  if (!gateway) throw new Problem("unavailable", "Payments are not set up yet.");
  await recordDispute(services, gateway, await close(services, gateway, dispute.provider_ref));
}

async function close({ log }: Payments, gateway: PaymentGateway, ref: string): Promise<ProviderDispute> {
  try {
    const known = await gateway.retrieveDispute(ref);
    return isClosed(known.status)
      ? known
      : await gateway.acceptDispute({ dispute: ref, key: `${ref}:${randomUUID()}` });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, dispute: ref }, "a dispute could not be accepted");
    throw error.kind === "refused" || error.kind === "missing"
      ? new Problem("conflict", `The payment provider refused it: ${error.message}`)
      : new Problem("unavailable", "The payment provider did not answer. Please try again in a few minutes.");
  }
}
