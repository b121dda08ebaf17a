import { countBooking } from "#artists/index.ts";
import type { DateTaken } from "#calendar/events.rules.ts";
import { claimNight, endQueue, lockDate, lockQueues, resumeQueue } from "#calendar/holds/index.ts";
import { confirmReservation, insertReservation, lockReservation, removeReservation } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { contractOf, endObjections, voidContract } from "#contracts/index.ts";
import { heldFor } from "#ledger/index.ts";
import { planRemainingRefund } from "#payments/index.ts";
import {
  type CheckoutEnded,
  type PaymentFailed,
  type PaymentSucceeded,
  type RefundSucceeded,
} from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { verifiedMailbox } from "#users/index.ts";
import { endAutomaticPayment } from "../balance/consent.ts";
import { broadcastToOwner } from "../change-notifications.ts";
import { type Division } from "../rules/cancellation/cancellation.rules.ts";
import {
  type BookingDateLost,
  type BookingMoneyReturned,
  type BookingStatusChanged,
  assertTransition,
  type CancelCode,
  type Canceler,
  decideStatus,
  isCancelCodeOf,
  type LifecycleActor,
  mayTakeStep,
  type ReturnReason,
} from "../rules/flow.rules.ts";
import { attachRequests, type Booking, changeBooking, changeRequestAddress, lockBooking } from "../store.ts";
import { closeProposal } from "../stores/force-majeure.store.ts";
import { writeDecision } from "../stores/no-show.store.ts";
import { endExpiredHolds, releaseCheckoutHold, releaseHoldAfterCheckout } from "./checkout-holds.ts";

/** Applies a successful payment. Schedules a full refund if the payment is not due or the date is unavailable. */
export async function applyPaymentSucceeded(tx: Tx, event: PaymentSucceeded, now: Date): Promise<void> {
  const booking = await lockBooking(tx, event.bookingId);
  if (!booking) throw new Error(`payment ${event.paymentId} is for the unknown booking ${event.bookingId}`);
  if (booking.deposit_payment_id === event.paymentId || booking.balance_payment_id === event.paymentId) return;
  await (event.kind === "deposit" ? applyDeposit(tx, booking, event, now) : applyBalance(tx, booking, event, now));
}

async function applyDeposit(tx: Tx, booking: Booking, event: PaymentSucceeded, now: Date): Promise<void> {
  const reason = refundReason(booking, event, booking.deposit_cents, booking.deposit_payment_id);
  if (reason) return refund(tx, booking, event, reason, now);
  // Refunded in the provider's dashboard before this event: nothing is left to book the date.
  if (!(await holdsMoney(tx, booking))) return cancel(tx, booking, { by: "system", code: "money_returned", now });
  if (booking.starts_at <= new Date(event.paidAt)) {
    await cancel(tx, booking, { by: "system", code: "expired", now });
    return refund(tx, booking, event, "event_over", now);
  }
  if (!(await confirmDate(tx, booking, now))) {
    await cancel(tx, booking, { by: "system", code: "date_lost", now });
    return refund(tx, booking, event, "date_lost", now);
  }
  await countBooking(tx, booking.artist_id, 1);
  await applyBookingChange(
    tx,
    booking,
    { deposit_paid_at: new Date(event.paidAt), deposit_payment_id: event.paymentId },
    { by: "provider", cause: "deposit_paid", now },
  );
}

async function applyBalance(tx: Tx, booking: Booking, event: PaymentSucceeded, now: Date): Promise<void> {
  const reason = refundReason(booking, event, booking.balance_cents, booking.balance_payment_id);
  if (reason) return refund(tx, booking, event, reason, now);
  await applyBookingChange(
    tx,
    booking,
    { balance_paid_at: new Date(event.paidAt), balance_payment_id: event.paymentId },
    { by: "provider", cause: "balance_paid", now },
  );
  await endAutomaticPayment(tx, booking.id, now);
}

function refundReason(
  booking: Booking,
  event: PaymentSucceeded,
  owed: number,
  paidBy: string | null,
): ReturnReason | undefined {
  if (booking.status === "canceled") return booking.cancel_code === "date_lost" ? "date_lost" : "booking_canceled";
  if (paidBy) return "paid_twice";
  return event.amount === owed && event.currency === booking.currency ? undefined : "wrong_amount";
}

/** Turns the booking's hold into a booked date, or reserves the date if the hold has ended. Ranked holds of the night end. Returns false if the date is unavailable. */
export async function confirmDate(tx: Tx, booking: Booking, now: Date): Promise<boolean> {
  await lockQueues(tx, booking.artist_id);
  const own = await lockReservation(tx, booking.id);
  if (own) await confirmReservation(tx, own.id);
  else if (!(await reserveDate(tx, booking, now))) return false;
  await endQueue(tx, booking, now);
  await publish(tx, "calendar.date_taken", { artistId: booking.artist_id } satisfies DateTaken);
  return true;
}

async function reserveDate(tx: Tx, booking: Booking, now: Date): Promise<boolean> {
  await endExpiredHolds(tx, booking.artist_id, now);
  if (!(await claimNight(tx, booking, now))) return false;
  const date = { artistId: booking.artist_id, bookingId: booking.id, span: spanOf(booking), now };
  if (await insertReservation(tx, date)) return true;
  await resumeQueue(tx, booking, now);
  return false;
}

const holdsMoney = async (tx: Tx, booking: Booking): Promise<boolean> =>
  (await heldFor(tx, booking.id, booking.currency)) > 0;

const refundReasons: Record<ReturnReason, string> = {
  date_lost: "The date was no longer available when this payment arrived.",
  booking_canceled: "The booking was canceled before this payment arrived.",
  event_over: "The event had begun before this payment arrived.",
  wrong_amount: "The amount is not the agreed amount.",
  paid_twice: "This was paid twice.",
};

/** Schedules the refund of the remaining money, and publishes its amount. A dashboard refund may have been earlier. */
async function refund(tx: Tx, booking: Booking, event: PaymentSucceeded, reason: ReturnReason, now: Date) {
  if (booking.status === "canceled") await releaseHoldAfterCheckout(tx, booking, now);
  const amount = await planRemainingRefund(tx, {
    paymentId: event.paymentId,
    reason: refundReasons[reason],
    causeKey: `refund:${event.paymentId}`,
    now,
  });
  if (amount === 0) return;
  const returned = { bookingId: booking.id, paymentId: event.paymentId, amount, currency: event.currency };
  await publish(tx, "booking.money_returned", { ...returned, reason } satisfies BookingMoneyReturned);
  if (reason === "date_lost") await publish(tx, "booking.date_lost", returned satisfies BookingDateLost);
}

type BookingChanges = Parameters<typeof changeBooking>[2];

/** Writes the changes (none if only the contract has changed) and the derived status, and publishes a status change. Throws if the transition is not allowed for this actor. */
export async function applyBookingChange(
  tx: Tx,
  booking: Booking,
  changes: BookingChanges,
  { by, cause, now, division }: { by: LifecycleActor; cause: string; now: Date; division?: Division | undefined },
): Promise<void> {
  const from = booking.status;
  const known = { ...booking, ...changes };
  const to = decideStatus({
    depositPaidAt: known.deposit_paid_at,
    completedAt: known.completed_at,
    canceledAt: known.canceled_at,
    contract: (await contractOf(tx, booking.id))?.status ?? null,
  });
  if (from !== to) assertTransition(from, to, by);
  await changeBooking(tx, booking, { ...changes, status: to }, now);
  if (from !== to)
    await publish(tx, "booking.status_changed", {
      bookingId: booking.id,
      from,
      to,
      by,
      cause,
      ...(division ? { division } : {}),
    } satisfies BookingStatusChanged);
}

/** Cancels a locked booking. Its date becomes free, except a hold whose checkout can still be paid. The caller schedules the refund (`division`). */
export async function cancel(
  tx: Tx,
  booking: Booking,
  why: { by: Canceler; code: CancelCode; note?: string | null; now: Date; division?: Division; fee?: number },
): Promise<void> {
  if (!isCancelCodeOf(why.by, why.code)) throw new Error(`the code ${why.code} is not for the ${why.by}`);
  if (!mayTakeStep("cancel", booking.status, why.by))
    throw new Error(`a booking that is ${booking.status} cannot be canceled`);
  const reservation = await lockDate(tx, booking);
  if (reservation?.kind === "booked") {
    await removeReservation(tx, booking.id, why.now);
    await countBooking(tx, booking.artist_id, -1);
  } else await releaseHoldAfterCheckout(tx, booking, why.now);
  await endAutomaticPayment(tx, booking.id, why.now);
  await endObjections(tx, booking.id, why.now);
  await voidContract(tx, booking.id, why);
  await closeProposal(tx, booking.id, "overtaken", why.now);
  await writeDecision(tx, booking.id, {
    by: null,
    released: why.division ? why.division.artist + why.division.commission : 0,
    refunded: why.division?.refund ?? 0,
    decision: "The booking was canceled before the report was decided.",
    now: why.now,
  });
  await applyBookingChange(
    tx,
    booking,
    {
      canceled_at: why.now,
      canceled_by: why.by,
      cancel_code: why.code,
      cancel_note: why.note ?? null,
      cancellation_fee_cents: why.fee ?? null,
    },
    { by: why.by, cause: why.code, now: why.now, division: why.division },
  );
}

/** Applies a refund. If the booking holds no more money, it ends and its date is free. */
export async function applyRefundSucceeded(tx: Tx, event: RefundSucceeded, now: Date): Promise<void> {
  const booking = await lockBooking(tx, event.bookingId);
  if (!booking) throw new Error(`refund ${event.refundId} is for the unknown booking ${event.bookingId}`);
  if (booking.status === "canceled") return releaseHoldAfterCheckout(tx, booking, now);
  const isOwn = [booking.deposit_payment_id, booking.balance_payment_id].includes(event.paymentId);
  if (!isOwn || !mayTakeStep("cancel", booking.status, "system")) return;
  if (await holdsMoney(tx, booking)) return;
  await cancel(tx, booking, { by: "system", code: "money_returned", now });
}

/** Applies the end of a checkout without payment and frees the date. A decline frees nothing, because its checkout can still be paid. */
export const applyCheckoutEnded = async (tx: Tx, event: CheckoutEnded | PaymentFailed, now: Date): Promise<void> => {
  if (event.way === "saved_card") await endAutomaticPayment(tx, event.bookingId, now);
  if (event.kind === "deposit") await releaseCheckoutHold(tx, event.bookingId, "checkout", now);
};

/** Assigns the requests of a promoter's verified mailbox to the account. After a change of address, the account's own requests follow. */
export async function attachRequestsTo(tx: Tx, { userId, former }: { userId: string; former?: string }): Promise<void> {
  // The current address, because an earlier change may be handled again after a later one.
  const email = await verifiedMailbox(tx, userId);
  if (!email) return;
  const following = former ? await changeRequestAddress(tx, { userId, email, former }) : 0;
  if ((await attachRequests(tx, email)) + following > 0) await broadcastToOwner(tx, userId);
}
