import { countBooking } from "#artists/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { activeHoldsOfNight } from "#calendar/holds/index.ts";
import { availabilityOf, dateErrorOf } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { describeDay, formatInstant } from "#platform/time/calendar.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { applyBookingChange, confirmDate, cancel } from "../lifecycle/transitions.ts";
import { type Caller, isOwnOf } from "../policy.ts";
import { bookingStatusLabel, systemCancelCodes } from "../rules/flow.rules.ts";
import { type Booking, findBooking, lockBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { isAwaitingResponse } from "../rules/acceptance.rules.ts";

/** Throws a conflict (409) if the request is already answered, withdrawn or past its deadline. */
function requireDecidable(booking: Booking, now: Date): void {
  if (isAwaitingResponse(booking, now)) return;
  const message =
    booking.answer_due_at === null
      ? "This request requires no answer: the deposit books the date."
      : booking.status === "canceled"
        ? "This request has ended. You can no longer answer it."
        : booking.status === "initiated"
          ? "The time to answer this request is over."
          : `This request is already accepted. The booking is at "${bookingStatusLabel(booking.status)}".`;
  throw conflict(message, { data: { status: booking.status, version: booking.version } });
}

/** Books the date and records the deposit of 0 as paid. Throws a conflict (409) if the date is unavailable or no card provider is set up. */
export async function acceptRequest(
  tx: Tx,
  booking: Booking,
  artist: Readonly<{ id: string; name: string; is_active: boolean }>,
  { caller, now, payments }: { caller: Caller; now: Date; payments: boolean },
): Promise<void> {
  requireDecidable(booking, now);
  if (!payments)
    throw conflict("Payments are not set up on this site yet, so you could not be paid. Accept when they are.");
  if (!artist.is_active) throw conflict(`${artist.name} accepts no bookings at the moment.`);
  if (!(await confirmDate(tx, booking, now))) throw await dateError(tx, booking, artist, { caller, now });
  await countBooking(tx, booking.artist_id, 1);
  await applyBookingChange(tx, booking, { deposit_paid_at: now }, { by: "artist", cause: "request_accepted", now });
}

export async function declineRequest(tx: Tx, booking: Booking, { note, now }: { note: string | null; now: Date }) {
  requireDecidable(booking, now);
  await cancel(tx, booking, { by: "artist", code: systemCancelCodes.requestDeclined, note, now });
}

/** Ends the artist's other requests without a deposit that overlap a booked date. Requests with a deposit stay, because the date can become free again. */
export async function endRivalRequests(tx: Tx, bookingId: string, now: Date): Promise<void> {
  const booked = await findBooking(tx, bookingId);
  if (!booked) return;
  const artist = await artistOfBooking(tx, booked);
  const rivals = await tx
    .selectFrom("bookings")
    .select("id")
    .where("artist_id", "=", booked.artist_id)
    .where("status", "=", "initiated")
    .where("answer_due_at", "is not", null)
    .orderBy("id")
    .execute();
  for (const { id } of rivals) {
    const rival = await lockBooking(tx, id);
    if (rival?.status !== "initiated") continue;
    const { event_date: day, time_zone: zone } = rival;
    const { decision } = await availabilityOf(
      tx,
      { artist, day, zone, limits: null, span: spanOf(rival), except: id },
      { isOwn: () => false, promoterUserId: null, heldBy: null, now },
    );
    if (decision.state === "taken" && decision.by?.bookingId === bookingId)
      await cancel(tx, rival, { by: "system", code: systemCancelCodes.dateLost, now });
  }
}

/** Returns the conflict (409) of a ranked hold of another booking on the night, with its name and end, or undefined. */
async function onHoldError(tx: Tx, booking: Booking, now: Date): Promise<Problem | undefined> {
  const { artist_id: artistId, starts_at: startsAt, promoter_user_id: promoter, time_zone: zone } = booking;
  const { nightEndsAt } = await artistSettings(tx, artistId);
  const [first] = await activeHoldsOfNight(tx, { artistId, startsAt, nightEndsAt }, now);
  const isOwn = first?.bookingId === booking.id || (promoter !== null && first?.userId === promoter);
  if (!first || isOwn) return undefined;
  const until = formatInstant(first.until, zone);
  const message = `${describeDay(booking.event_date)} is on hold for ${first.name} until ${until}. Release that hold first, or wait until it ends.`;
  return conflict(message, { data: { state: "held", held_until: first.until.toISOString() } });
}

async function dateError(
  tx: Tx,
  booking: Booking,
  artist: Readonly<{ id: string; name: string }>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<Problem> {
  const onHold = await onHoldError(tx, booking, now);
  if (onHold) return onHold;
  const { event_date: day, time_zone: zone } = booking;
  const { decision } = await availabilityOf(
    tx,
    { artist, day, zone, limits: null, span: spanOf(booking), except: booking.id },
    { isOwn: isOwnOf(caller), promoterUserId: booking.promoter_user_id, heldBy: null, now },
  );
  return decision.state === "free"
    ? conflict("This date was requested at the same moment. Please try again.")
    : dateErrorOf(decision, now);
}
