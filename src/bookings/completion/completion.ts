/** The end of a show: its booking is completed, what is held becomes the artist's and the platform's, and the artist's payout is planned. */
import { releaseHeld } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { objectionHours } from "#payments/rules.ts";
import { completionHours, isBalanceSettled, type LifecycleActor, mayTake } from "../rules.ts";
import { type Booking, lockBooking } from "../store.ts";
import { findNoShow, noShowStateOf } from "../no-show/no-show.store.ts";
import { settle } from "../lifecycle/transitions.ts";

const hourMs = 3_600_000;

/** A balance that is still unpaid so many days after the event ends the booking as the promoter's breach (design, section 12). */
export const unpaidBalanceDays = 30;

/**
 * Completes a locked booking whose show is over and of whose balance nothing is left to pay, and releases its money. False: it is not at that point, a
 * reported no-show is not decided, or it is not for this actor to say.
 */
export async function completeBooking(tx: Tx, booking: Booking, by: LifecycleActor, now: Date): Promise<boolean> {
  const waits = by === "system" ? completionHours * hourMs : 0;
  if (!mayTake("complete", booking.status, by)) return false;
  if (booking.ends_at.getTime() + waits > now.getTime() || !isBalanceSettled(booking)) return false;
  if (noShowStateOf(await findNoShow(tx, booking.id)) === "open") return false;
  await settle(tx, booking, { completed_at: now }, { by, cause: "complete", now });
  await releaseHeld(tx, {
    bookingId: booking.id,
    artistId: booking.artist_id,
    currency: booking.currency,
    commissionBps: booking.commission_bps,
    at: now,
    // A promoter who confirms at once may still have second thoughts within the day.
    dueAt: new Date(Math.max(now.getTime(), booking.ends_at.getTime() + objectionHours * hourMs)),
  });
  return true;
}

/** The same for a booking that a job has found; it may have changed since. */
export async function completeIfOver(tx: Tx, bookingId: string, now: Date): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  return booking !== undefined && completeBooking(tx, booking, "system", now);
}
