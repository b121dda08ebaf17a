/** Holding a date while somebody pays, and letting it go. */
import { expireCheckout, type Payments } from "#payments/index.ts";
import { checkoutMinutes } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { dateRefusal, findBlocking, spanOf } from "./check.ts";
import { type Held, type IsOwn, ownHoldRefusal, ownHolds, ownIn } from "./own-holds.ts";
import { type BookingHoldReleased, holdLimits } from "../rules.ts";
import { signalBooking } from "../signals.ts";
import {
  type Booking,
  type DateReservation,
  type HeldBy,
  insertReservation,
  lockBooking,
  lockReservation,
  lockHeldBy,
  openHoldsOf,
  recentHoldEnd,
  removeReservation,
  removeDeadHolds,
} from "../store.ts";
import { describeDay, timeIn } from "#platform/calendar.rules.ts";
import { attemptsUnder, livePayment } from "../views.ts";

const minuteMs = 60_000;

/**
 * Holds the date of a locked booking for its checkout, or answers the hold it has. A hold whose time is over is not
 * renewed: it ends, and the date is asked for anew. Refuses a date that is not free and, with `limits`, a person who holds
 * two dates already or held this one a moment ago.
 */
export async function holdDate(
  tx: Tx,
  booking: Booking,
  by: { heldBy: HeldBy; isOwn: IsOwn; now: Date; limits: boolean },
): Promise<DateReservation> {
  const { now, heldBy } = by;
  for (const ended of await removeDeadHolds(tx, booking.artist_id, now)) await publishReleased(tx, ended, "clock");
  const own = await lockReservation(tx, booking.id);
  if (own && !(await isOver(tx, own, now))) return own;
  if (own) {
    await removeReservation(tx, booking.id, earlier(own.expires_at, now));
    await publishReleased(tx, booking.id, "clock");
  }
  const span = spanOf(booking);
  const mine = await ownHolds(tx, booking.artist_id, by.isOwn, now);
  const inTheWay = ownIn(mine, span, booking.id);
  if (inTheWay) throw ownHoldRefusal(inTheWay, now);
  const blocking = await findBlocking(tx, booking.artist_id, span, now);
  if (blocking) throw await dateRefusal(tx, booking, blocking, now);
  if (by.limits) await refuseTooMany(tx, booking, { heldBy, mine }, now);
  const expiresAt = new Date(now.getTime() + checkoutMinutes.expires * minuteMs);
  const held = await insertReservation(tx, {
    artistId: booking.artist_id,
    bookingId: booking.id,
    span,
    hold: { expiresAt, heldBy },
    now,
  });
  const reservation = held ? await lockReservation(tx, booking.id) : undefined;
  if (reservation) return reservation;
  const winner = await findBlocking(tx, booking.artist_id, span, now);
  throw await dateRefusal(tx, booking, winner ?? { kind: "hold", expires_at: expiresAt }, now);
}

const earlier = (end: Date | null, now: Date): Date => (end && end < now ? end : now);

/**
 * The half hour is used up: its time has come, or the page that was opened under it has ended. Whoever wants the date
 * again starts anew, under the same limits as everybody else; a refusal leaves the reservation to the end that the provider confirms.
 */
async function isOver(tx: Tx, hold: DateReservation, now: Date): Promise<boolean> {
  if (hold.kind !== "hold") return false;
  const attempts = await attemptsUnder(tx, hold);
  const asked = attempts.some((attempt) => attempt.asked_at !== null);
  if (hold.expires_at && hold.expires_at <= now) return asked;
  const opened = attempts.some((attempt) => attempt.provider_ref !== null);
  return opened && attempts.every((attempt) => attempt.checkout_state === "closed");
}

async function refuseTooMany(
  tx: Tx,
  booking: Booking,
  { heldBy, mine }: { heldBy: HeldBy; mine: readonly Held[] },
  now: Date,
): Promise<void> {
  const sameDay = mine.find((hold) => hold.booking.id !== booking.id && hold.booking.event_date === booking.event_date);
  if (sameDay) throw ownHoldRefusal(sameDay, now);
  await lockHeldBy(tx, heldBy);
  const open = await openHoldsOf(tx, heldBy, booking.id, now);
  if (open.some((hold) => hold.artist_id === booking.artist_id && hold.event_date === booking.event_date)) {
    throw new Problem(
      "conflict",
      "A checkout for this artist and date is already open under your address. Finish it where it was opened, or by the link in your mail.",
      { data: { state: "held_elsewhere" } },
    );
  }
  const most = Math.max(
    ...(["browser", "address", "email"] as const).map((key) => open.filter((hold) => hold[key]).length),
  );
  if (most >= holdLimits.open) {
    throw new Problem(
      "too_many",
      `You are holding ${holdLimits.open} dates already. Pay for one of them, or let it go, before you hold another.`,
      {
        retryAfterSeconds: holdLimits.shownMinutes * 60,
      },
    );
  }
  const ended = await recentHoldEnd(tx, heldBy, { artistId: booking.artist_id, eventDate: booking.event_date }, now);
  if (!ended) return;
  const from = new Date(ended.getTime() + holdLimits.renewalMinutes * minuteMs);
  throw new Problem(
    "too_many",
    `You have just held ${describeDay(booking.event_date)}. So that others have a chance, you can hold it again from ${timeIn(booking.time_zone, from)} (${booking.time_zone}).`,
    { retryAfterSeconds: Math.ceil((from.getTime() - now.getTime()) / 1000) },
  );
}

async function publishReleased(tx: Tx, bookingId: string, by: BookingHoldReleased["by"]): Promise<void> {
  await signalBooking(tx, bookingId);
  await publish(tx, "booking.hold_released", { bookingId, by } satisfies BookingHoldReleased);
}

/** Lets a booking's hold go unless a payment of it can still arrive; true when the date became free. */
export async function releaseHold(
  tx: Tx,
  bookingId: string,
  by: BookingHoldReleased["by"],
  now: Date,
): Promise<boolean> {
  await lockBooking(tx, bookingId);
  const reservation = await lockReservation(tx, bookingId);
  if (reservation?.kind !== "hold" || (await livePayment(tx, bookingId, "deposit"))) return false;
  await removeReservation(tx, bookingId, now);
  await publishReleased(tx, bookingId, by);
  return true;
}

/** Lets the hold of a booking that has ended go, once no page of it can be paid any more. */
export async function dropHold(tx: Tx, bookingId: string, now: Date): Promise<void> {
  const reservation = await lockReservation(tx, bookingId);
  const payment = await livePayment(tx, bookingId, "deposit");
  if (reservation?.kind !== "hold" || (payment && payment.checkout_state !== "paid")) return;
  await removeReservation(tx, bookingId, now);
  await publishReleased(tx, bookingId, "checkout");
  await signalBooking(tx, bookingId);
}

/** Ends the checkout of a booking so that it can never be paid, then frees its date. Never inside a transaction. */
export async function endHold(
  services: Payments,
  bookingId: string,
  by: BookingHoldReleased["by"],
): Promise<"released" | "already_paid" | "none"> {
  const { database, clock } = services;
  const payment = await livePayment(database.db, bookingId, "deposit");
  if (payment && (await expireCheckout(services, payment.id)) === "already_paid") return "already_paid";
  const released = await database.transaction((tx) => releaseHold(tx, bookingId, by, clock.now()));
  services.wake();
  // checkout.ended may have been answered first: the date is free either way.
  return released || payment ? "released" : "none";
}
