/** Whether a date can be asked for: the live answer beside the form, and the check when the form is sent. */
import { findBookableArtist, matchPlace } from "#artists/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import { artistSettings, platformSettings } from "#settings/index.ts";
import type { BookingCheck, DateAnswer, DateQuestion } from "../api.ts";
import { chargeable } from "#payments/rules.ts";
import { type Held, type IsOwn, ownHolds, ownIn, presentOwnHold, describeOwnHold } from "./own-holds.ts";
import { balanceDueDays, bufferMinutes, holdLimits, quoteFor, readDuration } from "../rules.ts";
import { dayIn, addDays, describeDay, isTimeZone, timeIn } from "#platform/calendar.rules.ts";
import { eventSpan, type EventSpan, nearbyDays, outsideLimits } from "./time.ts";
import { heldUntil } from "../store.ts";
import { type LiveReservation, liveReservations } from "../views.ts";

const minuteMs = 60_000;
/** What is said of an hour of today that has gone by. */
export const timeHasPassed = "This time has passed. Please choose a later one.";
/** How far around the wished date free ones are looked for, in days. */
const lookAroundDays = 32;

export type Bookable = NonNullable<Awaited<ReturnType<typeof findBookableArtist>>>;

/** The artist behind a slug, or the specification's "Artist not found". */
export async function requireBookableArtist(reader: Reader, slug: string): Promise<Bookable> {
  const artist = await findBookableArtist(reader, slug);
  if (!artist) throw notFound("Artist not found");
  return artist;
}

/** The zone of the event's place; the artist's when the place is not known. */
export function zoneOf(location: string | undefined, artist: Pick<Bookable, "time_zone">): string {
  const place = location ? matchPlace(location) : null;
  if (place && isTimeZone(place.timeZone)) return place.timeZone;
  return isTimeZone(artist.time_zone) ? artist.time_zone : "UTC";
}

/** The price of an artist at this moment, by the platform's terms; 0, on request, when no card could pay it. */
export async function quoteOf(reader: Reader, artist: Pick<Bookable, "base_rate">) {
  const { depositPercent, currency, commissionBps, policyName } = await platformSettings(reader);
  const fee = chargeable(artist.base_rate, currency);
  return { ...quoteFor(fee, { depositPercent, currency, commissionBps }), policy_name: policyName };
}

/** Answers the panel beside the form. Nothing is stored or held by asking. */
export async function checkBooking(
  reader: Reader,
  question: DateQuestion,
  frame: { now: Date; payments: boolean; isOwn: IsOwn },
): Promise<BookingCheck> {
  const artist = await requireBookableArtist(reader, question.artistId);
  const { policy_name, commission_bps: _, ...price } = await quoteOf(reader, artist);
  const own = await ownHolds(reader, artist.id, frame.isOwn, frame.now);
  const { inTheWay, ...date } = await answerDate(reader, artist, question, { now: frame.now, own });
  const shown = inTheWay ?? own[0];
  const { id, slug, name, genre, location } = artist;
  return {
    artist: { id, slug, name, genre, location },
    price: {
      ...price,
      policy_name,
      balance_due: question.eventDate
        ? balanceDue(question.eventDate, zoneOf(question.eventLocation, artist), frame.now)
        : null,
    },
    checkout: price.fee_cents === 0 ? "on_request" : frame.payments ? "deposit" : "payments_not_set_up",
    date,
    own_hold: shown ? presentOwnHold(shown, frame.now) : null,
  };
}

/** When the balance is due; null when it is due at once. */
export function balanceDue(eventDate: string, zone: string, now: Date): string | null {
  const due = addDays(eventDate, -balanceDueDays);
  return due > dayIn(zone, now) ? due : null;
}

async function answerDate(
  reader: Reader,
  artist: Bookable,
  question: DateQuestion,
  { now, own }: { now: Date; own: readonly Held[] },
): Promise<DateAnswer & { inTheWay?: Held }> {
  const zone = zoneOf(question.eventLocation, artist);
  const { minutes, understood } = readDuration(question.duration);
  const base: DateAnswer = {
    state: "incomplete",
    message: "Choose a date to see whether it is free.",
    time_zone: zone,
    starts_at: null,
    ends_at: null,
    duration_minutes: minutes,
    duration_understood: understood,
    held_until: null,
    next_valid: null,
    nearest: [],
  };
  const date = question.eventDate;
  if (!date) return base;
  const limits = await artistSettings(reader, artist.id);
  const outside = outsideLimits(date, limits, zone, now);
  if (outside) return { ...base, state: outside.state, message: outside.message };
  const span = eventSpan({ date, time: question.eventTime ?? "20:00", zone, minutes });
  if ("missing" in span)
    return { ...base, state: "invalid_time", message: span.missing.message, next_valid: span.missing.nextValid };
  if (span.startsAt <= now)
    return question.eventTime
      ? { ...base, state: "too_soon", message: timeHasPassed }
      : { ...base, message: "Choose a time to see whether it is free." };
  const known = { ...base, starts_at: span.startsAt, ends_at: span.endsAt };
  const inTheWay = ownIn(own, span);
  if (inTheWay)
    return {
      ...known,
      state: "own_hold",
      message: describeOwnHold(inTheWay, now).message,
      held_until: heldUntil(inTheWay.expiresAt),
      inTheWay,
    };
  const blocking = await findBlocking(reader, artist.id, span, now);
  if (!blocking) return { ...known, state: "free", message: `${describeDay(date)} is free.` };
  const nearest = await nearestFree(reader, {
    artist,
    date,
    time: question.eventTime ?? "20:00",
    zone,
    minutes,
    limits,
    now,
  });
  return { ...known, ...describeBlocking(date, zone, artist.name, blocking), nearest };
}

/** The reservation that stands in the way of a span; a booking before a hold. */
export async function findBlocking(
  reader: Reader,
  artistId: string,
  span: EventSpan,
  now: Date,
  but?: string,
): Promise<LiveReservation | undefined> {
  const reservations = (
    await liveReservations(reader, artistId, { from: span.reservedFrom, to: span.reservedTo }, now)
  ).filter((reservation) => reservation.booking_id !== but);
  return reservations.find((reservation) => reservation.kind === "booked") ?? reservations[0];
}

/** Says in words who is in the way. */
export function describeBlocking(
  date: string,
  zone: string,
  artist: string,
  reservation: Pick<LiveReservation, "kind" | "expires_at">,
) {
  if (reservation.kind === "booked" || !reservation.expires_at) {
    return {
      state: "taken" as const,
      message: `${describeDay(date)} is taken. ${artist} is booked at that time.`,
      held_until: null,
    };
  }
  const until = heldUntil(reservation.expires_at);
  return {
    state: "held" as const,
    message: `${describeDay(date)} is on hold for ${holdLimits.shownMinutes} minutes. Another promoter is at the checkout; if they do not pay, the date is free again by ${timeIn(zone, until)}.`,
    held_until: until,
  };
}

type Wish = {
  artist: Pick<Bookable, "id">;
  date: string;
  time: string;
  zone: string;
  minutes: number;
  limits: { minimumNotice: number; maximumBookingDays: number };
  now: Date;
};

/** The three nearest days on which the same show would be possible. */
export async function nearestFree(reader: Reader, wish: Wish): Promise<{ date: string; reason: string }[]> {
  const { artist, date, time, zone, minutes, limits, now } = wish;
  const around = (days: number) =>
    new Date(Date.parse(`${addDays(date, days)}T12:00:00Z`) + Math.sign(days) * minutes * minuteMs);
  const reservations = await liveReservations(
    reader,
    artist.id,
    { from: around(-lookAroundDays), to: around(lookAroundDays) },
    now,
  );
  const free: { date: string; reason: string }[] = [];
  for (const day of nearbyDays(date)) {
    if (free.length === 3) break;
    if (outsideLimits(day.date, limits, zone, now)) continue;
    const span = eventSpan({ date: day.date, time, zone, minutes });
    if ("missing" in span || span.startsAt <= now) continue;
    if (!reservations.some((reservation) => reservation.from < span.reservedTo && span.reservedFrom < reservation.to))
      free.push(day);
  }
  return free;
}

/** The span that a stored booking reservations, from its own start and end. */
export const spanOf = (booking: { starts_at: Date; ends_at: Date }): EventSpan => ({
  startsAt: booking.starts_at,
  endsAt: booking.ends_at,
  reservedFrom: new Date(booking.starts_at.getTime() - bufferMinutes * minuteMs),
  reservedTo: new Date(booking.ends_at.getTime() + bufferMinutes * minuteMs),
});

/** The refusal of a hold whose date is not free: who is in the way, until when, and what is free nearby. */
export async function dateRefusal(
  reader: Reader,
  booking: { artist_id: string; event_date: string; event_time: string; time_zone: string; duration_minutes: number },
  blocking: Pick<LiveReservation, "kind" | "expires_at">,
  now: Date,
): Promise<Problem> {
  const artist = await reader
    .selectFrom("artists")
    .select(["id", "name"])
    .where("id", "=", booking.artist_id)
    .executeTakeFirstOrThrow();
  const limits = await artistSettings(reader, artist.id);
  const { event_date: date, event_time: time, time_zone: zone, duration_minutes: minutes } = booking;
  const said = describeBlocking(date, zone, artist.name, blocking);
  const nearest = await nearestFree(reader, { artist, date, time, zone, minutes, limits, now });
  return new Problem("conflict", said.message, {
    data: { state: said.state, held_until: said.held_until?.toISOString() ?? null, nearest },
  });
}
