import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { broadcastChange } from "#realtime/index.ts";
import { lockPayment, publishEvent } from "../store.ts";
import {
  isChargeDisputed,
  lockRefusedRefund,
  type Refund,
  writePaidOutside,
  reduceRefund,
} from "../stores/refunds.store.ts";
import { countRefunds, postRefund } from "./postings.ts";

/** The job queries the provider before it sends. Throws a conflict (409) if the bank returned the refund. */
export async function retryRefund(tx: Tx, id: string, now: Date): Promise<void> {
  const refund = await requireRefused(tx, id);
  if (refund.provider_ref !== null)
    throw conflict("The bank sent this refund back. Pay it in another way, and record how.");
  await reduceRefund(tx, refund, refund.amount, now);
  await broadcastChange(tx, "money", { admins: true });
}

/** Records that the platform paid a refused refund outside the provider. `how` is sent to the promoter. Throws during a dispute, and if the provider may have made it. */
export async function recordRefundPaidOutside(
  tx: Tx,
  { id, how, by, now }: { id: string; how: string; by: string; now: Date },
): Promise<void> {
  const refund = await requireRefused(tx, id);
  if (await isChargeDisputed(tx, id))
    throw conflict("The payer disputes this payment. Wait for the bank's decision before you pay it.");
  if (refund.needs_lookup)
    throw conflict("The provider may have made this refund. Send it again first: we query the provider before.");
  const payment = refund.payment_id === null ? undefined : await lockPayment(tx, refund.payment_id);
  await writePaidOutside(tx, id, now);
  await postRefund(tx, refund, "outside", payment, now);
  if (!payment) return;
  await countRefunds(tx, payment, now);
  const { id: paymentId, booking_id: bookingId } = payment;
  const paid = { refundId: id, paymentId, bookingId, amount: refund.amount, paidOutside: { how, by } };
  await publishEvent(tx, "refund.succeeded", paid);
}

async function requireRefused(tx: Tx, id: string): Promise<Refund> {
  const refund = await lockRefusedRefund(tx, id);
  if (!refund) throw conflict("This refund is already done, or is being sent again.");
  return refund;
}
