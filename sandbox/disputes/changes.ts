import { sql } from "kysely";
import type Stripe from "stripe";
import type { Tx } from "#platform/db/index.ts";
import { newId } from "../objects.ts";
import { enqueueEvent, find, saveObject, inSettlementCurrency } from "../store.ts";
import { disputeBalanceOf, disputeFee, disputeOf } from "./objects.ts";

const daySeconds = 86_400;
/** Days to send evidence. Then the bank decides against us, and an inquiry becomes a dispute. */
const answerDays = 9;
/** Days of the bank's review, which then decides for us. */
const reviewDays = 7;

const store = (tx: Tx, dispute: Stripe.Dispute, due: number | null) => saveObject(tx, "dispute", dispute, due);

export async function disputesOfCharge(tx: Tx, charge: string): Promise<Stripe.Dispute[]> {
  const { rows } = await sql<{ body: Stripe.Dispute }>`
    select body from sandbox_objects where kind = 'dispute' and body->>'charge' = ${charge} order by created_at, id`.execute(
    tx,
  );
  return rows.map(({ body }) => body);
}

const over = ["won", "lost", "warning_closed"];
export const isOver = ({ status }: Stripe.Dispute): boolean => over.includes(status);

export const hasWithdrawnFunds = (dispute: Stripe.Dispute): boolean =>
  dispute.status === "lost" || (!isOver(dispute) && !isInquiry(dispute));

export const isInquiry = ({ status }: Stripe.Dispute): boolean => status.startsWith("warning_");

/** Opens a dispute of a charge. An inquiry withdraws no money yet. */
export async function openDispute(
  tx: Tx,
  charge: Stripe.Charge,
  { amount, reason, inquiry }: { amount: number; reason: string; inquiry: boolean },
  now: number,
): Promise<Stripe.Dispute> {
  const dueBy = now + answerDays * daySeconds;
  const dispute = disputeOf(charge, { id: newId("du"), amount, reason, inquiry, created: now, dueBy });
  await saveObject(tx, "charge", { ...charge, disputed: true });
  await store(tx, dispute, dueBy);
  await enqueueEvent(tx, "charge.dispute.created", dispute, now);
  return inquiry ? dispute : withdraw(tx, dispute, dueBy, now);
}

async function withdraw(tx: Tx, dispute: Stripe.Dispute, due: number, now: number): Promise<Stripe.Dispute> {
  return moved(
    tx,
    dispute,
    { amount: -dispute.amount, fee: disputeFee, due, type: "charge.dispute.funds_withdrawn" },
    now,
  );
}

async function moved(
  tx: Tx,
  dispute: Stripe.Dispute,
  movement: { amount: number; fee: number; due: number | null; type: string },
  now: number,
): Promise<Stripe.Dispute> {
  const charge = await find(tx, "charge", String(dispute.charge));
  if (!charge) throw new Error(`the dispute ${dispute.id} has no charge`);
  const balance = await inSettlementCurrency(tx, charge, disputeBalanceOf(dispute, { ...movement, now }));
  const after = { ...dispute, balance_transactions: [...dispute.balance_transactions, balance] };
  await saveObject(tx, "balance_transaction", balance);
  await store(tx, after, movement.due);
  await enqueueEvent(tx, movement.type, after, now);
  return after;
}

export async function answerDispute(
  tx: Tx,
  dispute: Stripe.Dispute,
  { evidence, submit }: { evidence: Readonly<Record<string, string>>; submit: boolean },
  now: number,
): Promise<Stripe.Dispute> {
  const status = isInquiry(dispute) ? "warning_under_review" : "under_review";
  const { evidence_details: details } = dispute;
  const after: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...evidence },
    status: submit ? status : dispute.status,
    evidence_details: {
      ...details,
      has_evidence: true,
      submission_count: details.submission_count + (submit ? 1 : 0),
      submission_method: submit ? "manual" : details.submission_method,
    },
  };
  await store(tx, after, submit ? now + reviewDays * daySeconds : details.due_by);
  await enqueueEvent(tx, "charge.dispute.updated", after, now);
  return after;
}

/** Decides a dispute. An inquiry is closed if won, and becomes a dispute if lost. */
export async function decideDispute(tx: Tx, dispute: Stripe.Dispute, isWon: boolean, now: number) {
  if (isOver(dispute)) return dispute;
  if (isInquiry(dispute) && !isWon) return escalate(tx, dispute, now);
  const status = isInquiry(dispute) ? "warning_closed" : isWon ? "won" : "lost";
  const closed: Stripe.Dispute = { ...dispute, status };
  const withdrawn = dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0);
  const reinstated = { amount: dispute.amount, fee: 0, due: null, type: "charge.dispute.funds_reinstated" };
  const after = isWon && withdrawn > 0 ? await moved(tx, closed, reinstated, now) : closed;
  await store(tx, after, null);
  await enqueueEvent(tx, "charge.dispute.closed", after, now);
  return after;
}

async function escalate(tx: Tx, dispute: Stripe.Dispute, now: number): Promise<Stripe.Dispute> {
  const due = now + answerDays * daySeconds;
  const open: Stripe.Dispute = {
    ...dispute,
    status: "needs_response",
    is_charge_refundable: false,
    evidence_details: { ...dispute.evidence_details, due_by: due, submission_count: 0 },
  };
  await store(tx, open, due);
  await enqueueEvent(tx, "charge.dispute.updated", open, now);
  return withdraw(tx, open, due, now);
}

export const ageDispute = async (tx: Tx, id: string, now: number): Promise<void> => {
  const dispute = await find(tx, "dispute", id);
  if (dispute) await decideDispute(tx, dispute, dispute.status.endsWith("under_review"), now);
};
