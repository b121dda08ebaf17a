import type { EventKind } from "#artists/nights/event-kinds.rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { conflict, invalidField, Problem } from "#platform/errors.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { heldUntil, holdLimits } from "./checkout-hold.rules.ts";
import {
  type DateDecision,
  type DateInput,
  type DateLimits,
  decideDate,
  describeOwnHold,
  type KnownReservation,
} from "./decision.rules.ts";
import { activeHoldsOfNight } from "./holds/queue.views.ts";
import { isNightOpen, type NightPattern, nightOf } from "./night.rules.ts";
import { outsideLimits } from "./notice.rules.ts";
import { type HeldBy, holdsOfCaller, reservationsAround, type ReservedBooking } from "./store.ts";
import {
  type Buffer,
  type EventSpan,
  eventSpan,
  type MissingTime,
  nearbyDays,
  spanOf,
  withBuffer,
} from "./time.rules.ts";
import { busyTimes, entriesAround, type ShowNight } from "./views.ts";

/** `isOwn`: the caller's booking. `promoterUserId`: whose ranked holds count. `holdNightId`: the ranked hold that the artist books for its promoter. `heldBy`: the keys of the holding limits, null where none apply. */
export type DateRequester = Readonly<{
  isOwn(booking: ReservedBooking["booking"]): boolean;
  promoterUserId: string | null;
  holdNightId?: string;
  heldBy: HeldBy | null;
  now: Date;
}>;

type DateQuery = Readonly<{
  artist: Readonly<{ id: string; name: string }>;
  day: string;
  zone: string;
  limits: (DateLimits & Buffer) | null;
  declinedKind?: EventKind | null;
  span: EventSpan | { missing: MissingTime };
  timeIsAssumed?: boolean;
  except?: string;
}>;

export type Availability = Readonly<{ decision: DateDecision; ownHolds: readonly ReservedBooking[] }>;

/** Returns whether the caller may request this date and pay for it immediately. Stores and holds nothing. */
export async function availabilityOf(reader: Reader, want: DateQuery, requester: DateRequester): Promise<Availability> {
  const { artist, day, span, except } = want;
  const { isOwn, heldBy, now } = requester;
  const buffer: Buffer & Pick<NightPattern, "nightEndsAt"> = want.limits ?? (await artistSettings(reader, artist.id));
  const searched = "missing" in span ? null : searchedRange(span, buffer);
  const night =
    "missing" in span ? null : { artistId: artist.id, startsAt: span.startsAt, nightEndsAt: buffer.nightEndsAt };
  const [around, entries, queue, person] = await Promise.all([
    reservationsAround(reader, artist.id, searched, now),
    night && searched ? entriesAround(reader, night, searched, now) : [],
    night ? queueOf(reader, night, { ...requester, bookingId: except }) : null,
    heldBy ? holdsOfCaller(reader, heldBy, { artistId: artist.id, eventDate: day, except }, now) : null,
  ]);
  const others = around.filter((one) => one.booking.id !== except);
  const own = others.filter((one) => one.kind === "hold" && isOwn(one.booking));
  const input: DateInput = {
    now,
    artistName: artist.name,
    day,
    zone: want.zone,
    limits: want.limits,
    buffer,
    entries,
    queue,
    declinedKind: want.declinedKind ?? null,
    span,
    timeIsAssumed: want.timeIsAssumed ?? false,
    reservations: others.map((one) => knownOf(one, isOwn(one.booking))),
    person: person && {
      open: person.open.map((hold) => ({ ...hold, artistIsSame: hold.artist_id === artist.id, day: hold.event_date })),
      lastEnded: person.lastEnded,
    },
  };
  return { decision: decideDate(input), ownHolds: own.filter((one) => one.booking.status === "initiated") };
}

async function queueOf(
  reader: Reader,
  night: ShowNight,
  { promoterUserId, holdNightId, bookingId, now }: DateRequester & { bookingId: string | undefined },
): Promise<DateInput["queue"]> {
  const holds = await activeHoldsOfNight(reader, night, now);
  const [first] = holds;
  if (!first) return null;
  return {
    until: first.until,
    isOwn: holds.some(
      (hold) =>
        hold.mayBook &&
        ((hold.userId !== null && hold.userId === promoterUserId) ||
          hold.id === holdNightId ||
          (hold.bookingId !== null && hold.bookingId === bookingId)),
    ),
  };
}

/** Returns the span with its margins and half a day more: without a given time, a later show of the same night counts too. */
function searchedRange(span: EventSpan, buffer: Buffer) {
  const { from, to } = withBuffer(span, buffer);
  return { from, to: new Date(to.getTime() + 12 * hourMs) };
}

const knownOf = ({ booking, ...reservation }: ReservedBooking, own: boolean): KnownReservation => ({
  ...reservation,
  bookingId: booking.id,
  own,
  day: booking.event_date,
  time: booking.event_time,
  zone: booking.time_zone,
  span: spanOf(booking),
});

export function ownHoldResponse(hold: ReservedBooking, now: Date) {
  const { id: booking_id, event_date, event_time, venue_name, time_zone } = hold.booking;
  const { message, open, until } = describeOwnHold(knownOf(hold, true), now);
  const { staysOnHold: stays_on_hold } = hold;
  return { booking_id, event_date, event_time, venue_name, time_zone, open_until: until, open, stays_on_hold, message };
}

/** Makes the error of a decision that is not "free". `nearest`: other possible days. */
export function dateErrorOf(
  decision: DateDecision,
  now: Date,
  nearest: readonly { date: string; reason: string }[] = [],
): Problem {
  const { state, message, by, from } = decision;
  switch (state) {
    case "too_soon":
    case "too_far":
    case "incomplete":
      return invalidField("eventDate", message, { state, first: decision.first, last: decision.last });
    case "kind_declined":
      return invalidField("eventType", message, { state });
    case "invalid_time":
      return invalidField("eventTime", message, { state, next_valid: decision.nextValid });
    case "own_hold":
      return conflict(message, {
        data: { state, booking_id: by?.bookingId, held_until: by?.expiresAt && heldUntil(by.expiresAt).toISOString() },
      });
    case "too_many_holds":
    case "held_before": {
      const wait = from ? Math.ceil((from.getTime() - now.getTime()) / 1000) : holdLimits.shownMinutes * 60;
      return new Problem("too_many", message, {
        retryAfterSeconds: wait,
        data: { state, from: from?.toISOString() ?? null },
      });
    }
    default:
      return conflict(message, { data: { state, held_until: from?.toISOString() ?? null, nearest } });
  }
}

const searchedDays = 32;

type Near = {
  artist: Readonly<{ id: string }>;
  date: string;
  edge?: string;
  time: string;
  zone: string;
  minutes: number;
  limits: DateLimits & Buffer;
  now: Date;
};

export async function nearestFree(reader: Reader, near: Near): Promise<{ date: string; reason: string }[]> {
  const { artist, date, time, zone, minutes, limits, now } = near;
  const around = (days: number) =>
    new Date(Date.parse(`${addDays(date, days)}T12:00:00Z`) + Math.sign(days) * minutes * minuteMs);
  const busy = await busyTimes(
    reader,
    { artistId: artist.id, nightEndsAt: limits.nightEndsAt },
    { from: around(-searchedDays), to: around(searchedDays) },
    now,
  );
  const free: { date: string; reason: string }[] = [];
  const days = [...(near.edge ? [{ date, reason: near.edge }] : []), ...nearbyDays(date)];
  for (const day of days) {
    if (free.length === 3) break;
    if (outsideLimits(day.date, limits, zone, now)) continue;
    const span = eventSpan({ date: day.date, time, zone, minutes });
    if ("missing" in span || span.startsAt <= now) continue;
    if (!isNightOpen(nightOf(span.startsAt, zone, limits.nightEndsAt), limits)) continue;
    const wanted = withBuffer(span, limits);
    if (!busy.some((one) => one.from < wanted.to && wanted.from < one.to)) free.push(day);
  }
  return free;
}
