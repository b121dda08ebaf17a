import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { lockPayments } from "#payments/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { dayIn, describeDay } from "#platform/time/calendar.rules.ts";
import { endBooking, isBalanceArriving, previewCancellation } from "../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { emailContextOf, eventSummary } from "../emails/email-context.ts";
import { objectionStopsPayments } from "../rules/completion.rules.ts";
import { extensionDays, planBalance, stepNow } from "../rules/money/balance-plan.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import {
  beginRound,
  type BalanceSchedule,
  findSchedule,
  recordStep,
  scheduleNextStep,
} from "../stores/balance.store.ts";
import { notifyBalanceExtended } from "./balance-emails.ts";
import { mayArtistDecide, owesBalance } from "./balance.views.ts";

/** Requests a balance that an objection stopped until its due day: due immediately, and not by saved card, because the promoter agreed to another day. */
export async function resumeBalance(tx: Tx, booking: Booking, now: Date): Promise<void> {
  const schedule = await findSchedule(tx, booking.id);
  if (!schedule || !owesBalance(booking)) return;
  if (schedule.due_day !== null && schedule.due_day > dayIn(booking.time_zone, now)) return;
  const round = schedule.round + 1;
  await beginRound(tx, { bookingId: booking.id, round, started_at: now, due_day: null });
  await scheduleNextStep(tx, booking.id, { last: null, next: { step: "due", at: now } });
}

/** Throws a conflict (409) if the artist may not decide: no balance is due, the promoter still has time, or the show has begun. */
function requireDecision(
  booking: Booking,
  schedule: BalanceSchedule | undefined,
  at: ReadingTime,
): asserts schedule is BalanceSchedule {
  if (mayArtistDecide(booking, schedule, at)) return;
  const message = !owesBalance(booking)
    ? "No balance is owed for this booking now."
    : !at.payments
      ? "Payments are not set up on this site, so the balance cannot be paid and is not overdue."
      : booking.starts_at <= at.now
        ? "The show has begun. You can no longer release the date."
        : "The promoter still has time to pay the balance.";
  throw conflict(message, { data: { status: booking.status, version: booking.version } });
}

/** Extends the due date of a locked booking to the end of `dueDay`, local to the event, and begins a new round of reminders. */
export async function extendBalance(tx: Tx, services: Payments, booking: Booking, dueDay: string): Promise<void> {
  const now = services.clock.now();
  const schedule = await findSchedule(tx, booking.id);
  requireDecision(booking, schedule, { now, payments: services.gateway !== null });
  if ((await completionBlockOf(tx, booking.id)) === "objection") throw conflict(objectionStopsPayments);
  const days = extensionDays(booking.event_date, booking.time_zone, now);
  if (!days) throw conflict("The event is today, so you cannot give more time.");
  if (dueDay < days.from || dueDay > days.to)
    throw invalid(`Choose a day from ${describeDay(days.from)} to ${describeDay(days.to)}.`);
  const round = schedule.round + 1;
  const begun = await beginRound(tx, { bookingId: booking.id, round, started_at: now, due_day: dueDay });
  const { next } = stepNow(planBalance(booking, begun), { last: null, startsAt: booking.starts_at, now });
  await scheduleNextStep(tx, booking.id, { last: null, next });
  await recordStep(tx, { booking_id: booking.id, round, step: "extended", due_day: dueDay, at: now });
  const context = await emailContextOf(tx, services, booking.id);
  const message = `Time for the balance extended by the artist to ${describeDay(dueDay)}: ${eventSummary(context)}`;
  await recordActivity(tx, { type: "payment", refId: booking.id, message, meta: { round, due_day: dueDay } });
  await notifyBalanceExtended(tx, context, { startedAt: now, dueDay });
  await broadcastBookingChange(tx, booking.id);
}

/** Returns the result of releasing the date as the promoter's breach. Throws a conflict (409) while a paid balance is being applied or an objection to the signature is open. */
export async function previewRelease(reader: Reader, booking: Booking, at: ReadingTime) {
  requireDecision(booking, await findSchedule(reader, booking.id), at);
  if ((await completionBlockOf(reader, booking.id)) === "objection") throw conflict(objectionStopsPayments);
  if (await isBalanceArriving(reader, booking)) throw conflict("A payment has just arrived. Reload the booking.");
  return previewCancellation(reader, booking, { by: "artist", fault: "promoter", now: at.now });
}

type ReleaseRequest = ReadingTime & { expectedRefund: number };

/** Throws like `previewRelease`, and a conflict (409) with the new amounts if the refund is not the previewed one (cents). */
export async function requireRelease(reader: Reader, booking: Booking, request: ReleaseRequest): Promise<void> {
  const preview = await previewRelease(reader, booking, request);
  if (preview.refund_cents !== request.expectedRefund)
    throw conflict("The amounts have changed. Review them again.", { data: preview });
}

/** Releases the date of a locked booking. Throws like `requireRelease`. */
export async function releaseUnpaid(tx: Tx, booking: Booking, request: ReleaseRequest): Promise<void> {
  await lockPayments(tx, booking.id);
  await requireRelease(tx, booking, request);
  await endBooking(tx, booking, { by: "artist", code: "balance_unpaid", fault: "promoter", now: request.now });
}
