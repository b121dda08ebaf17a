import { randomUUID } from "node:crypto";
import { callProvider, isOutage } from "#gateway/attempts.ts";
import type { ProviderDispute } from "#gateway/dispute-gateway.ts";
import { type PaymentGateway, type Payments, requireGateway } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { isClosed, mayAccept } from "../rules.ts";
import { beginAcceptance, endAcceptance, lockDispute } from "../store.ts";
import { recordDispute } from "../sync.ts";
import { lockEvidence } from "./evidence.store.ts";

/** Accepts a dispute at the provider, outside any transaction, and syncs the loss. Returns true if this call closed it. Throws a conflict (409) if it is decided or answered, or the provider does not close it, and unavailable (503) without a response. */
export async function acceptDispute(services: Payments, disputeId: string): Promise<boolean> {
  const ref = await requireAcceptable(services, disputeId);
  const gateway = requireGateway(services);
  const known = await callForAcceptance(services, ref, () => gateway.retrieveDispute(ref));
  const isOpen = !isClosed(known.status);
  const closed = isOpen ? await close(services, gateway, { disputeId, ref }) : known;
  await recordDispute(services, gateway, closed, { isAccepted: true });
  return isOpen;
}

/** Seconds, longer than the call takes. After a lost response no evidence is stored for as long, because the dispute may be closed. */
const acceptanceSeconds = 180;

/** Closes the dispute at the provider. Throws if evidence was stored since the lookup. From here on no evidence is stored. */
async function close(
  services: Payments,
  gateway: PaymentGateway,
  { disputeId, ref }: { disputeId: string; ref: string },
): Promise<ProviderDispute> {
  await requireAcceptable(services, disputeId, (tx) => beginAcceptance(tx, disputeId, acceptanceSeconds));
  const key = `${ref}:${randomUUID()}`;
  return callForAcceptance(
    services,
    ref,
    () => gateway.acceptDispute({ dispute: ref, key }),
    () => services.database.transaction((tx) => endAcceptance(tx, disputeId)),
  );
}

/** Throws unless the locked dispute can be accepted, considering its evidence. Runs `then` under the lock. Returns the provider's reference. */
const requireAcceptable = ({ database }: Payments, disputeId: string, then?: (tx: Tx) => Promise<unknown>) =>
  database.transaction(async (tx) => {
    const dispute = await lockDispute(tx, disputeId);
    if (!dispute) throw notFound("Dispute not found");
    const evidence = await lockEvidence(tx, disputeId);
    if (!mayAccept({ ...dispute, hasEvidence: evidence !== undefined && evidence.status !== "failed" }))
      throw conflict("This dispute can no longer be accepted: it was answered or decided.");
    await then?.(tx);
    return dispute.provider_ref;
  });

const callForAcceptance = (
  services: Payments,
  ref: string,
  call: () => Promise<ProviderDispute>,
  onRefused?: () => Promise<unknown>,
): Promise<ProviderDispute> =>
  callProvider(services, call, {
    ids: { dispute: ref },
    message: "a dispute could not be accepted",
    toProblem: async (error) => {
      if (isOutage(error))
        return new Problem("unavailable", "The payment provider did not answer. Please try again in a few minutes.");
      await onRefused?.();
      return conflict(`The payment provider refused the acceptance: ${error.message}`);
    },
  });
