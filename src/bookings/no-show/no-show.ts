import type { Payments } from "#gateway/gateway.ts";
import { heldFor } from "#ledger/index.ts";
import { divideHeld, lockPayments } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { endBooking, requireHeld } from "../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { notifyNoShowStated } from "../event-emails/no-show-emails.ts";
import { applyBookingChange } from "../lifecycle/transitions.ts";
import {
  mayDecideNoShow,
  mayReportNoShow,
  mayStateNoShow,
  type NoShowDecided,
  type NoShowReported,
  payableFrom,
} from "../rules/no-show.rules.ts";
import { isBalanceSettled } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import { findNoShow, insertNoShow, noShowStateOf, writeDecision, writeStatement } from "../stores/no-show.store.ts";

/** Stores the promoter's report of a locked booking and blocks its completion until an admin decides. Throws a conflict (409) outside the time for it. */
export async function reportNoShow(tx: Tx, booking: Booking, { note, now }: { note: string; now: Date }) {
  const known = await findNoShow(tx, booking.id);
  if (!mayReportNoShow(booking, noShowStateOf(known), now))
    throw conflict("A no-show can be reported once, from the start of the show until 24 hours after its end.");
  await insertNoShow(tx, { bookingId: booking.id, note, now });
  await publish(tx, "booking.no_show_reported", { bookingId: booking.id, note } satisfies NoShowReported);
  await broadcastBookingChange(tx, booking.id);
}

/** Stores the accused artist's side of a locked booking's open report, and notifies the admins. Throws a conflict (409) for a second one and after the decision. */
export async function stateNoShow(
  tx: Tx,
  services: Payments,
  booking: Booking,
  stated: { statement: string; by: string; now: Date },
): Promise<void> {
  const report = await findNoShow(tx, booking.id);
  if (!mayStateNoShow(booking, noShowStateOf(report), report?.stated_at != null))
    throw conflict("You can state your side once, and only until an admin has decided.");
  await writeStatement(tx, booking.id, stated);
  await notifyNoShowStated(tx, services, { ...stated, bookingId: booking.id });
  await broadcastBookingChange(tx, booking.id);
}

/** Decides an open report: releases `release` cents and refunds the rest. 0 cancels as the artist's breach, unless nothing is held (`shownHeld`) and the artist `appeared`. During the show, or with an unpaid balance, a full release only closes the report. Throws a conflict (409) for a part of an unpaid balance, above the held amount, or while an objection is open. */
export async function decideNoShow(
  tx: Tx,
  booking: Booking,
  decided: {
    release: number;
    shownHeld: number | undefined;
    appeared: boolean;
    decision: string;
    by: string;
    now: Date;
  },
): Promise<void> {
  const { release, decision, now } = decided;
  const report = await findNoShow(tx, booking.id);
  if (report?.decided_at) throw conflict("This report has already been decided. Reload the booking.");
  if (!mayDecideNoShow(booking, noShowStateOf(report))) throw conflict("There is no open report for this booking.");
  if ((await completionBlockOf(tx, booking.id)) === "objection")
    throw conflict("A party objects to the signature of the contract. Decide about the objection first.");
  await lockPayments(tx, booking.id);
  const held = await heldFor(tx, booking.id, booking.currency);
  requireHeld(held, decided.appeared ? 0 : decided.shownHeld);
  if (release > held) throw conflict("This is more than what is held for the booking.");
  const isPart = release > 0 && release < held;
  const isBreach = release === 0 && !decided.appeared;
  const isPaid = isBalanceSettled(booking);
  const isSettled = isPaid && (isPart || booking.ends_at <= now);
  if (!isPaid && isPart) throw conflict("The balance is still unpaid: release everything that is held, or nothing.");
  const refunded = held - release;
  await writeDecision(tx, booking.id, { by: decided.by, released: release, refunded, decision, now });
  if (isBreach) await endBooking(tx, booking, { by: "admin", code: "no_show", fault: "artist", note: decision, now });
  else if (isSettled) await complete(tx, booking, { refund: refunded, keep: release }, now);
  const body: NoShowDecided = {
    bookingId: booking.id,
    released: release,
    refunded,
    decision,
    settled: isBreach || isSettled,
  };
  await publish(tx, "booking.no_show_decided", body);
  await broadcastBookingChange(tx, booking.id);
}

async function complete(tx: Tx, booking: Booking, { refund, keep }: { refund: number; keep: number }, now: Date) {
  await applyBookingChange(tx, booking, { completed_at: now }, { by: "system", cause: "no_show_decided", now });
  await divideHeld(tx, {
    bookingId: booking.id,
    artistId: booking.artist_id,
    currency: booking.currency,
    refund,
    keep,
    commissionBps: booking.commission_bps,
    reason: "A part is refunded by the decision about the reported no-show.",
    now,
    dueAt: payableFrom(booking, now),
  });
}
