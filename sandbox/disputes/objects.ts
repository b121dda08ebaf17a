import type Stripe from "stripe";
import { balanceTransaction, newId } from "../objects.ts";

/** In cents. It is not refunded. */
export const disputeFee = 1_500;

export const disputeBalanceOf = (
  dispute: { id: string; currency: string },
  { amount, fee, now }: { amount: number; fee: number; now: number },
): Stripe.BalanceTransaction =>
  balanceTransaction(
    {
      id: newId("txn"),
      amount,
      created: now,
      currency: dispute.currency,
      description: amount < 0 ? "Chargeback withdrawal" : "Chargeback reversal",
      fee,
      reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
      source: dispute.id,
      type: "adjustment",
    },
    "Dispute fee",
  );

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export const evidenceFields: ReadonlySet<string> = new Set(Object.keys(noEvidence));

export const disputeOf = (
  charge: Stripe.Charge,
  given: { id: string; amount: number; reason: string; inquiry: boolean; created: number; dueBy: number },
): Stripe.Dispute => ({
  id: given.id,
  object: "dispute",
  amount: given.amount,
  balance_transactions: [],
  charge: charge.id,
  created: given.created,
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: noEvidence,
  evidence_details: {
    due_by: given.dueBy,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: "not_submitted",
  },
  intended_submission_method: null,
  is_charge_refundable: given.inquiry,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: given.reason,
  status: given.inquiry ? "warning_needs_response" : "needs_response",
});

export const fileOf = (given: Pick<Stripe.File, "created" | "filename" | "size" | "type">): Stripe.File => ({
  id: newId("file"),
  object: "file",
  expires_at: null,
  links: null,
  purpose: "dispute_evidence",
  title: null,
  url: null,
  ...given,
});
