/** Syncs reported disputes. Movements are posted once by reference. A loss is divided once. Repeated reports change nothing. */

import { isCausedByObject } from "#gateway/attempts.ts";
import type { DisputeMovement, ProviderDispute } from "#gateway/dispute-gateway.ts";
import type { PaymentGateway, Payments, ProviderRefund } from "#gateway/gateway.ts";
import { accounts, move, post, postConversion } from "#ledger/index.ts";
import {
  chargeOf,
  lockPayment,
  type Payment,
  recordPayment,
  republishFailedRefunds,
  syncRefund,
} from "#payments/provider-sync.ts";
import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import { applyDisputeLoss, regainLoss, reopenRefunds } from "./loss.ts";
import { type DisputeChanged, disputeStateOf, isClosed, laterStatus, movedAmount } from "./rules.ts";
import { changeDispute, type Dispute, hasSettled, lockReportedDispute } from "./store.ts";
import { ownerOfBooking } from "./views.ts";

type SyncedDispute = "done" | "foreign";

/** Fetches and syncs a dispute. Its charge, and the refunds before a loss, are synced first, because their events may arrive later. */
export async function fetchDispute(services: Payments, gateway: PaymentGateway, ref: string): Promise<SyncedDispute> {
  return recordDispute(services, gateway, await gateway.retrieveDispute(ref));
}

export async function recordDispute(
  services: Payments,
  gateway: PaymentGateway,
  reported: ProviderDispute,
  { isAccepted = false } = {},
): Promise<SyncedDispute> {
  const { database, clock } = services;
  const ref = reported.providerPayment;
  if (ref === null || reported.live !== gateway.live) return "foreign";
  if (!(await chargeOf(database.db, ref))) await recordPayment(services, gateway, await gateway.retrievePayment(ref));
  if (disputeStateOf(reported.status) === "lost" && !(await hasSettled(database.db, reported.ref)))
    await syncRefunds(services, gateway, { ref, isAccepted });
  const result = await database.transaction((tx) => syncDispute(tx, reported, clock.now()));
  services.wake();
  return result;
}

/** Syncs the refunds of a charge, oldest first. One that cannot be booked is logged, so the loss is recorded. Throws after an outage, so the loss is reported again, unless an admin accepted it. */
async function syncRefunds(
  { database, clock, log }: Payments,
  gateway: PaymentGateway,
  { ref, isAccepted }: { ref: string; isAccepted: boolean },
): Promise<void> {
  if (!(await chargeOf(database.db, ref))) return;
  const logged = (call: Promise<unknown>) =>
    call.catch((err: unknown) => {
      if (!isAccepted && !isCausedByObject(err)) throw err;
      log.error({ err, ref }, "a refund before a lost dispute was not recorded");
    });
  const sync = (refund: ProviderRefund) => database.transaction((tx) => syncRefund(tx, refund, clock.now()));
  await logged(
    gateway.findRefunds(ref).then(async (refunds) => {
      for (const refund of refunds.toReversed()) await logged(sync(refund));
    }),
  );
}

export async function syncDispute(tx: Tx, reported: ProviderDispute, now: Date): Promise<SyncedDispute> {
  if (reported.providerPayment === null) return "foreign";
  const charge = await chargeOf(tx, reported.providerPayment);
  if (!charge) return "foreign";
  const isApplied = charge.recorded_as === "payment" && charge.payment_id !== null;
  const payment = isApplied ? await lockPayment(tx, charge.payment_id ?? "") : undefined;
  const { dispute, isNew } = await lockReportedDispute(tx, reported, {
    providerPayment: charge.provider_payment,
    paymentId: payment?.id ?? null,
    bookingId: payment?.booking_id ?? null,
    now,
  });
  const { status: before, regained: regainedBefore } = dispute;
  const status = isNew ? reported.status : laterStatus(before, reported.status);
  const isOver = isClosed(status);
  await changeDispute(
    tx,
    dispute,
    {
      status,
      reason: reported.reason,
      evidence_due_at: reported.evidenceDueAt ?? dispute.evidence_due_at,
      submissions: Math.max(dispute.submissions, reported.submissions),
      // An appeal decides a second time.
      closed_at: isOver ? ((status === before ? dispute.closed_at : null) ?? now) : null,
    },
    now,
  );
  if (isNew) await publishStep(tx, dispute, { step: "opened" });
  else if (isEscalation(before, status)) await publishStep(tx, dispute, { step: "escalated" });
  for (const movement of reported.movements.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.amount - b.amount))
    await postMovement(tx, dispute, movement, { afterAppeal: before === "won" && dispute.settled_at !== null, now });
  const lost = disputeStateOf(status) === "lost";
  const isLossDue = lost && dispute.withdrawn > 0 && dispute.settled_at === null;
  if (isLossDue) await applyDisputeLoss(tx, dispute, payment, now);
  const decidedNow = isOver && (isNew || !isClosed(before) || (before === "lost" && status === "won"));
  if (lost ? isLossDue : decidedNow) {
    const { from_artist: artist, from_held: held, from_refunds: refunded } = dispute;
    const platform = dispute.from_platform + dispute.from_loss;
    await publishStep(tx, dispute, {
      step: "closed",
      answered: dispute.submissions > 0,
      artist,
      held,
      refunded,
      platform,
      ...returnedOf(dispute),
    });
  }
  // Also after a loss: the bank may have taken less than a failed refund.
  if (lost ? isLossDue : decidedNow) await republishFailedRefunds(tx, charge.provider_payment);
  const isRegained = status === "won" && (decidedNow || dispute.regained > regainedBefore);
  const due = isRegained && dispute.settled_at !== null ? await reopenRefunds(tx, dispute, payment, now) : undefined;
  if (due && due.reopened + due.rest > 0 && !decidedNow)
    await publishStep(tx, dispute, { step: "refunds_reopened", ...due });
  await signalDispute(tx, payment);
  return "done";
}

const returnedOf = ({ withdrawn, regained, returned_held: heldAgain }: Dispute) => ({
  missing: Math.max(0, withdrawn - regained),
  heldAgain,
});

const isEscalation = (before: string, after: string): boolean =>
  before.startsWith("warning_") && !after.startsWith("warning_") && !isClosed(after);

type Step = DisputeChanged extends infer One
  ? One extends DisputeChanged
    ? Omit<One, "disputeId" | "bookingId" | "amount" | "currency" | "reason" | "status" | "dueAt">
    : never
  : never;

export const publishStep = (tx: Tx, dispute: Dispute, step: Step): Promise<void> =>
  publish(tx, "dispute.changed", {
    disputeId: dispute.id,
    bookingId: dispute.booking_id,
    amount: dispute.amount,
    currency: dispute.currency,
    reason: dispute.reason,
    status: dispute.status,
    dueAt: dispute.evidence_due_at?.toISOString() ?? null,
    ...step,
  } as DisputeChanged);

/** Posts what the bank took or returned, and the provider's fee, which the platform bears. */
async function postMovement(
  tx: Tx,
  dispute: Dispute,
  movement: DisputeMovement,
  { afterAppeal, now }: { afterAppeal: boolean; now: Date },
): Promise<void> {
  const { booking_id: bookingId, payment_id: paymentId, currency } = dispute;
  const { pspClearing, pspFees, disputeInFlight } = accounts;
  const of = { bookingId, paymentId, at: movement.at };
  const moved = movedAmount(movement, dispute);
  const isWithdrawal = movement.amount < 0;
  const direction = isWithdrawal
    ? { debit: disputeInFlight, credit: pspClearing }
    : { debit: pspClearing, credit: disputeInFlight };
  const cause = `dispute_movement:${movement.ref}`;
  const posted =
    movement.amount !== 0 &&
    (await post(tx, {
      ...of,
      cause,
      kind: isWithdrawal ? "dispute_withdrawn" : "dispute_reinstated",
      entries: move(moved, currency, direction),
    }));
  if (movement.fee !== 0)
    await post(tx, {
      ...of,
      cause: `dispute_fee:${movement.ref}`,
      kind: "dispute_fee",
      entries: move(movement.fee, movement.currency, { debit: pspFees, credit: pspClearing }),
    });
  if (!posted) return;
  await postConversion(
    tx,
    { ...of, cause },
    { booked: { amount: isWithdrawal ? -moved : moved, currency }, settled: movement },
  );
  if (dispute.settled_at !== null)
    await regainLoss(tx, dispute, { ...movement, amount: isWithdrawal ? -moved : moved });
  else
    await changeDispute(
      tx,
      dispute,
      { withdrawn: Math.max(0, dispute.withdrawn + (isWithdrawal ? moved : -moved)) },
      now,
    );
  const { ref } = movement;
  const step = isWithdrawal ? "withdrawn" : "reinstated";
  await publishStep(tx, dispute, { step, moved, ref, afterAppeal, ...returnedOf(dispute) });
}

async function signalDispute(tx: Tx, payment: Payment | undefined): Promise<void> {
  const userIds = payment ? [await ownerOfBooking(tx, payment.booking_id)] : [];
  await broadcastChange(tx, "money", { userIds, admins: true });
  await broadcastChange(tx, "bookings", { userIds, admins: true });
}
