import { countBooking } from "#artists/index.ts";
import type { DateTaken } from "#calendar/events.rules.ts";
import { activeHoldsOfNight } from "#calendar/holds/index.ts";
import { dateErrorOf, requestsWithoutDate } from "#calendar/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { describeDay, formatInstant } from "#platform/time/calendar.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { notifyCanceled } from "../event-emails/booking-emails.ts";
import { applyBookingChange, confirmDate, cancel } from "../lifecycle/transitions.ts";
import { type Caller, isOwnOf } from "../policy.ts";
import { awaitsConfirmation, isAwaitingResponse } from "../rules/acceptance.rules.ts";
import { bookingStatusLabel } from "../rules/flow.rules.ts";
import { type Booking, lockBooking } from "../store.ts";
import { decideBookingDate } from "../views.ts";

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
  if (awaitsConfirmation(booking))
    throw conflict("The promoter has not confirmed this request yet. We emailed them the link to it.");
  if (!payments)
    throw conflict("Payments are not set up on this site yet, so you could not be paid. Accept when they are.");
  if (!artist.is_active) throw conflict(`${artist.name} accepts no bookings at the moment.`);
  if (!(await confirmDate(tx, booking, now))) throw await dateError(tx, booking, artist, { caller, now });
  await countBooking(tx, booking.artist_id, 1);
  await applyBookingChange(tx, booking, { deposit_paid_at: now }, { by: "artist", cause: "request_accepted", now });
}

export async function declineRequest(tx: Tx, booking: Booking, { note, now }: { note: string | null; now: Date }) {
  requireDecidable(booking, now);
  await cancel(tx, booking, { by: "artist", code: "request_declined", note, now });
}

/** Ends the artist's open requests whose date is booked or blocked, and notifies their promoters. */
export async function endRequestsWithoutDate(tx: Tx, services: Payments, { artistId }: DateTaken): Promise<void> {
  for (const id of await requestsWithoutDate(tx, artistId)) {
    const request = await lockBooking(tx, id);
    if (request?.status !== "initiated") continue;
    await cancel(tx, request, { by: "system", code: "date_lost", now: services.clock.now() });
    await notifyCanceled(tx, await emailContextOf(tx, services, id));
  }
}

/** Returns the conflict (409) of a ranked hold of another booking on the night, with its name and end, or undefined. */
export async function onHoldError(reader: Reader, booking: Booking, now: Date): Promise<Problem | undefined> {
  const { artist_id: artistId, starts_at: startsAt, promoter_user_id: promoter, time_zone: zone } = booking;
  const { nightEndsAt } = await artistSettings(reader, artistId);
  const [first] = await activeHoldsOfNight(reader, { artistId, startsAt, nightEndsAt }, now);
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
  const promoter = { isOwn: isOwnOf(caller), promoterUserId: booking.promoter_user_id, heldBy: null, now };
  const decision = await decideBookingDate(tx, booking, artist, promoter);
  return decision.state === "free"
    ? conflict("This date was requested at the same moment. Please try again.")
    : dateErrorOf(decision, now);
}
