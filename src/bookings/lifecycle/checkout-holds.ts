import { holdLimits } from "#calendar/checkout-hold.rules.ts";
import { claimNight, lockDate, lockQueues, resumeQueue } from "#calendar/holds/index.ts";
import {
  dateErrorOf,
  type DateReservation,
  insertReservation,
  lockHeldBy,
  lockReservation,
  markReleasedBy,
  nearestFree,
  removeExpiredHolds,
  removeReservation,
} from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { type Payments } from "#gateway/gateway.ts";
import { attemptsToPay, expireCheckout, livePayment } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { type Caller, isOwnOf } from "../policy.ts";
import { type BookingHoldReleased } from "../rules/flow.rules.ts";
import { type Booking, findBooking, lockBooking } from "../store.ts";
import { decideBookingDate } from "../views.ts";

type Holding = Readonly<{ heldBy: Parameters<typeof lockHeldBy>[1]; caller: Caller; now: Date; limits: boolean }>;

/** Holds the date of a locked booking, or returns its hold. An expired hold ends, and the date is checked again. Throws a conflict (409) if the date is unavailable. */
export async function holdDate(
  tx: Tx,
  booking: Booking,
  artist: Readonly<{ id: string; name: string }>,
  by: Holding,
): Promise<DateReservation> {
  const { now, heldBy } = by;
  await lockQueues(tx, booking.artist_id);
  await endExpiredHolds(tx, booking.artist_id, now);
  const own = await lockReservation(tx, booking.id);
  if (own && !(await isOver(tx, own, now))) return own;
  if (own) await endReservation(tx, own, "clock", earlier(own.expires_at, now));
  await claimNight(tx, booking, now);
  if (by.limits) await lockHeldBy(tx, heldBy);
  // The second attempt reports the reservation that won, because the exclusion constraint decides and not the earlier read.
  for (let round = 0; round < 2; round++) {
    const span = spanOf(booking);
    await requireFree(tx, booking, artist, by);
    const expiresAt = new Date(now.getTime() + holdLimits.minutes * minuteMs);
    const held = await insertReservation(tx, {
      artistId: booking.artist_id,
      bookingId: booking.id,
      span,
      hold: { expiresAt, heldBy },
      now,
    });
    const reservation = held ? await lockReservation(tx, booking.id) : undefined;
    if (!reservation) continue;
    await resumeQueue(tx, booking, now);
    return reservation;
  }
  throw new Error(`the date of booking ${booking.id} is free and cannot be held`);
}

async function requireFree(
  tx: Tx,
  booking: Booking,
  artist: Readonly<{ id: string; name: string }>,
  { caller, heldBy, now, limits }: Holding,
): Promise<void> {
  const { event_date: date, event_time: time, time_zone: zone, duration_minutes: minutes } = booking;
  const decision = await decideBookingDate(tx, booking, artist, {
    isOwn: isOwnOf(caller),
    promoterUserId: booking.promoter_user_id,
    heldBy: limits ? heldBy : null,
    now,
  });
  if (decision.state === "free") return;
  const blocked = decision.state === "held" || decision.state === "taken" || decision.state === "closed";
  const nearest = blocked
    ? await nearestFree(tx, { artist, date, time, zone, minutes, limits: await artistSettings(tx, artist.id), now })
    : [];
  throw dateErrorOf(decision, now, nearest);
}

const earlier = (end: Date | null, now: Date): Date => (end && end < now ? end : now);

/** Returns true if a hold has expired or its checkout has ended. A new hold then counts against the limits. */
export async function isOver(tx: Tx, hold: DateReservation, now: Date): Promise<boolean> {
  if (hold.kind !== "hold") return false;
  const attempts = await attemptsOf(tx, hold);
  if (hold.expires_at && hold.expires_at <= now) return attempts.some((attempt) => attempt.requested);
  const opened = attempts.some((attempt) => attempt.opened);
  return opened && attempts.every((attempt) => attempt.checkoutState === "closed");
}

export const attemptsOf = async (tx: Tx, hold: Pick<DateReservation, "booking_id" | "created_at">) =>
  (await attemptsToPay(tx, hold.booking_id, "deposit")).filter(({ createdAt }) => createdAt >= hold.created_at);

async function endReservation(tx: Tx, reservation: DateReservation, by: BookingHoldReleased["by"], at: Date) {
  await removeReservation(tx, reservation.booking_id, at, by);
  // The hold stores its releaser, because the provider's webhook of the ended checkout may arrive first.
  await publishReleased(tx, { bookingId: reservation.booking_id, endedAt: at }, reservation.released_by ?? by, at);
}

export async function endExpiredHolds(tx: Tx, artistId: string, now: Date): Promise<void> {
  for (const ended of await removeExpiredHolds(tx, artistId, now)) await publishReleased(tx, ended, "clock", now);
}

async function publishReleased(
  tx: Tx,
  { bookingId, endedAt }: { bookingId: string; endedAt: Date },
  by: string,
  now: Date,
): Promise<void> {
  const booking = await findBooking(tx, bookingId);
  if (booking) await resumeQueue(tx, booking, now);
  await broadcastBookingChange(tx, bookingId);
  await publish(tx, "booking.hold_released", {
    bookingId,
    by: by as BookingHoldReleased["by"],
    endedAt: endedAt.toISOString(),
  } satisfies BookingHoldReleased);
}

export async function releaseCheckoutHold(
  tx: Tx,
  bookingId: string,
  by: BookingHoldReleased["by"],
  now: Date,
): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  const reservation = booking && (await lockDate(tx, booking));
  if (reservation?.kind !== "hold" || (await livePayment(tx, bookingId, "deposit"))) return false;
  await endReservation(tx, reservation, by, now);
  return true;
}

export async function releaseHoldAfterCheckout(tx: Tx, booking: Booking, now: Date): Promise<void> {
  const reservation = await lockDate(tx, booking);
  const payment = await livePayment(tx, booking.id, "deposit");
  if (reservation?.kind !== "hold" || (payment && payment.checkoutState !== "paid")) return;
  await endReservation(tx, reservation, "checkout", now);
}

/** Ends the checkout of a booking at the provider, then frees its date. Must run outside a transaction. */
export async function endCheckoutAndHold(
  services: Payments,
  bookingId: string,
  by: BookingHoldReleased["by"],
): Promise<"released" | "already_paid" | "none"> {
  const { database, clock } = services;
  const payment = await livePayment(database.db, bookingId, "deposit");
  if (payment) {
    await database.transaction((tx) => markReleasedBy(tx, bookingId, by));
    if ((await expireCheckout(services, payment.id)) === "already_paid") return "already_paid";
  }
  const released = await database.transaction((tx) => releaseCheckoutHold(tx, bookingId, by, clock.now()));
  // The handler of checkout.ended may have freed the date first.
  if (!released && !payment) return "none";
  services.wake();
  return "released";
}
