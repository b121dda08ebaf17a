import { failedClaimFields, requiresProviderLookup, sendDue } from "#gateway/attempts.ts";
import type { ProviderDispute } from "#gateway/dispute-gateway.ts";
import type { PaymentGateway, Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { acceptsEvidence } from "../rules.ts";
import { isBeingAccepted, lockDispute } from "../store.ts";
import { publishStep, recordDispute } from "../sync.ts";
import {
  changeEvidence,
  claimEvidence,
  type ClaimedEvidence,
  lockEvidence,
  type NewEvidence,
  putEvidence,
  writeUploaded,
} from "./evidence.store.ts";

/** Stores the evidence that an admin sends. A job submits it. Throws if the dispute takes none or was answered. */
export async function requestEvidence(tx: Tx, given: NewEvidence): Promise<void> {
  const dispute = await lockDispute(tx, given.disputeId);
  if (!dispute) throw notFound("Dispute not found");
  const known = await lockEvidence(tx, dispute.id);
  if (known && known.status !== "failed") throw conflict("Evidence was already sent for this dispute.");
  if (dispute.submissions > 0)
    throw conflict("The bank already has evidence for this dispute. It was sent in the provider's dashboard.");
  if (!acceptsEvidence(dispute.status)) throw conflict("This dispute no longer accepts evidence.");
  if (dispute.evidence_due_at && dispute.evidence_due_at <= given.now)
    throw conflict("The time to answer this dispute is over.");
  if (await isBeingAccepted(tx, dispute.id))
    throw conflict("This dispute is being accepted right now. Reload the page in a few minutes.");
  await putEvidence(tx, given, known !== undefined);
}

export const sendEvidence = (services: Payments): Promise<void> =>
  sendDue(services, {
    claim: claimEvidence,
    send: async (evidence, gateway) => {
      const reported = await send(services, gateway, evidence);
      const now = services.clock.now();
      await services.database.transaction(async (tx) => {
        const dispute = await lockDispute(tx, evidence.dispute_id);
        const sent = { sent_at: now, last_error: null, needs_lookup: false, updated_at: now };
        if (dispute && (await changeEvidence(tx, evidence.id, { ...sent, status: "succeeded" })))
          await publishStep(tx, dispute, { step: "evidence_sent" });
      });
      await recordDispute(services, gateway, reported);
    },
    record: async (tx, evidence, failure) => {
      const dispute = await lockDispute(tx, evidence.dispute_id);
      const fields = { ...failedClaimFields(failure), updated_at: failure.at };
      const isRecorded = await changeEvidence(tx, evidence.id, fields);
      if (isRecorded && failure.refused && dispute)
        await publishStep(tx, dispute, { step: "evidence_refused", error: failure.message });
    },
    idsOf: (evidence) => ({ disputeId: evidence.dispute_id }),
    message: "evidence was not sent",
    limit: 10,
  });

async function send(services: Payments, gateway: PaymentGateway, evidence: ClaimedEvidence): Promise<ProviderDispute> {
  const needsLookup = requiresProviderLookup(evidence, services.clock.now());
  const known = needsLookup ? await gateway.retrieveDispute(evidence.provider_ref) : undefined;
  if (known && known.submissions > 0) return known;
  const { database } = services;
  const files = await database.db
    .selectFrom("dispute_files")
    .selectAll()
    .where("evidence_id", "=", evidence.id)
    .orderBy("field")
    .execute();
  const parts: Record<string, string> = { ...(evidence.texts as Record<string, string>) };
  for (const { id, field, name, media_type: mediaType, bytes, provider_file: uploaded } of files) {
    const file = { key: `${evidence.key}:${field}`, name, mediaType, bytes };
    const ref = uploaded ?? (await gateway.uploadEvidenceFile(file));
    if (uploaded === null) await database.transaction((tx) => writeUploaded(tx, id, ref));
    parts[field] = ref;
  }
  return gateway.submitEvidence({ dispute: evidence.provider_ref, key: evidence.key, parts });
}
