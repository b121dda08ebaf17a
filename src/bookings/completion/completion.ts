import { releaseHeld } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { applyBookingChange } from "../lifecycle/transitions.ts";
import { completionBlockText } from "../rules/completion.rules.ts";
import { automaticCompletionAt } from "../rules/deadlines.rules.ts";
import { type LifecycleActor, mayTakeStep } from "../rules/flow.rules.ts";
import { payableFrom } from "../rules/no-show.rules.ts";
import type { Booking } from "../store.ts";

/** Completes a locked booking whose show is over and releases its money. Returns false if it is too early, blocked, or not allowed to the actor. */
export async function completeBooking(tx: Tx, booking: Booking, by: LifecycleActor, now: Date): Promise<boolean> {
  if (!mayTakeStep("complete", booking.status, by)) return false;
  if ((by === "system" ? automaticCompletionAt(booking.ends_at) : booking.ends_at) > now) return false;
  if ((await completionBlockOf(tx, booking.id)) !== null) return false;
  await applyBookingChange(tx, booking, { completed_at: now }, { by, cause: "complete", now });
  await releaseHeld(tx, {
    bookingId: booking.id,
    artistId: booking.artist_id,
    currency: booking.currency,
    commissionBps: booking.commission_bps,
    at: now,
    dueAt: payableFrom(booking, now),
  });
  return true;
}

/** Completes a locked booking for its promoter. Throws a conflict (409) with the reason if it cannot be completed yet. */
export async function confirmShow(tx: Tx, booking: Booking, now: Date): Promise<void> {
  if (await completeBooking(tx, booking, "promoter", now)) return;
  const over = booking.status === "contract_signed" && booking.ends_at <= now;
  const block = over ? await completionBlockOf(tx, booking.id) : null;
  throw conflict(
    block ? completionBlockText[block] : "A show can be confirmed once it is over and its contract is signed.",
  );
}
