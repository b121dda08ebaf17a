import type Stripe from "stripe";
import type { DisputeGateway, DisputeMovement, ProviderDispute } from "#gateway/dispute-gateway.ts";
import { callStripe, idOf, inSpan, instant, listStripe } from "./stripe-call.ts";

/** Dispute calls. Disputes carry no metadata of ours. They are matched by their charge. */
export function stripeDisputes(stripe: Stripe): DisputeGateway {
  return {
    retrieveDispute: (ref) => callStripe(async () => disputeFrom(await stripe.disputes.retrieve(ref))),
    async *listDisputes(span) {
      for await (const dispute of listStripe(stripe.disputes.list(inSpan(span)))) yield disputeFrom(dispute);
    },
    uploadEvidenceFile: ({ key, name, mediaType, bytes }) =>
      callStripe(async () => {
        const file = { data: bytes, name, type: mediaType };
        return (await stripe.files.create({ purpose: "dispute_evidence", file }, { idempotencyKey: key })).id;
      }),
    submitEvidence: ({ dispute, key, parts }) =>
      callStripe(async () =>
        disputeFrom(await stripe.disputes.update(dispute, { evidence: parts, submit: true }, { idempotencyKey: key })),
      ),
    acceptDispute: ({ dispute, key }) =>
      callStripe(async () => disputeFrom(await stripe.disputes.close(dispute, {}, { idempotencyKey: key }))),
  };
}

const disputeFrom = (dispute: Stripe.Dispute): ProviderDispute => ({
  ref: dispute.id,
  providerPayment: idOf(dispute.payment_intent),
  amount: dispute.amount,
  currency: dispute.currency,
  live: dispute.livemode,
  reason: dispute.reason,
  status: dispute.status,
  evidenceDueAt: dispute.evidence_details.due_by === null ? null : instant(dispute.evidence_details.due_by),
  submissions: dispute.evidence_details.submission_count,
  movements: dispute.balance_transactions.map(movementFrom),
  createdAt: instant(dispute.created),
});

const movementFrom = (movement: Stripe.BalanceTransaction): DisputeMovement => ({
  ref: movement.id,
  amount: movement.amount,
  fee: movement.fee,
  currency: movement.currency,
  exchangeRate: movement.exchange_rate,
  at: instant(movement.created),
});
