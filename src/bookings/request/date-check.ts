import { Temporal } from "temporal-polyfill";
import { matchPlace, zoneOfLocation } from "#artists/gazetteer/index.ts";
import { declinedKindOf } from "#artists/nights/event-kinds.rules.ts";
import { travelBeyond } from "#artists/nights/travel.rules.ts";
import type { DateDecision } from "#calendar/decision.rules.ts";
import { type DateRequester, availabilityOf, nearestFree, ownHoldResponse } from "#calendar/index.ts";
import { assumedShow, nightOf } from "#calendar/night.rules.ts";
import { eventSpan, type EventSpan } from "#calendar/time.rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { dayIn, timeIn, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { consentText } from "../rules/consent.rules.ts";
import { readDuration } from "../rules/duration.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { cardCanPay } from "../rules/permissions.rules.ts";
import type { BookingCheck, DateAnswer, DateQuestion } from "./availability.api.ts";
import { type Bookable, type Offer, openCheckoutsOf, quoteOf, requireOffer } from "./offer.views.ts";

/** Returns what follows a request at this price: a deposit checkout, or why there is none. Without a card provider a request is only stored. */
export function checkoutTypeFor(
  quote: { fee_cents: number; deposit_percent: number; currency: string },
  payments: boolean,
) {
  if (!cardCanPay(quote.currency, quote.fee_cents)) return "on_request" as const;
  if (!payments) return "payments_not_set_up" as const;
  return quote.deposit_percent === 0 ? ("no_deposit" as const) : ("deposit" as const);
}

/** Returns the date check, and stores or holds nothing. `payments`: a card provider is set up. */
export async function checkBooking(
  reader: Reader,
  question: DateQuestion,
  requester: DateRequester & { payments: boolean },
): Promise<BookingCheck> {
  const offer = await requireOffer(reader, question.artistId);
  const { artist } = offer;
  const { commission_bps: _, ...price } = quoteOf(offer);
  const checkout = checkoutTypeFor(price, requester.payments);
  const { own, request, ...date } = await checkDate(reader, offer, question, {
    ...requester,
    heldBy: checkout === "deposit" ? requester.heldBy : null,
  });
  const { id, slug, name, genre, location } = artist;
  const dueDay = question.eventDate
    ? balanceDueDay(question.eventDate, zoneOfLocation(question.eventLocation, artist), requester.now)
    : null;
  const terms = { amount: price.balance_cents, currency: price.currency, dueDay };
  return {
    artist: { id, slug, name, genre, location },
    price: { ...(request ? termsOf(request) : price), balance_due: dueDay },
    checkout,
    date,
    travel: travelOf(question.eventLocation, artist, offer.limits.travelRadius),
    own_hold: own,
    balance_consent:
      question.eventDate && checkout === "deposit" && price.balance_cents > 0 ? consentText(terms) : null,
  };
}

type Terms = Omit<BookingCheck["price"], "balance_due">;

function termsOf({ fee_cents, currency, deposit_percent, deposit_cents, balance_cents, policy_name }: Terms): Terms {
  return { fee_cents, currency, deposit_percent, deposit_cents, balance_cents, policy_name };
}

export const travelOf = (location: string | undefined, artist: Pick<Bookable, "lat" | "lon">, radius: number) =>
  travelBeyond(
    location ? matchPlace(location) : null,
    artist.lat === null || artist.lon === null ? null : { lat: artist.lat, lon: artist.lon },
    radius,
  );

async function checkDate(
  reader: Reader,
  { artist, limits }: Offer,
  question: DateQuestion,
  requester: DateRequester,
): Promise<DateAnswer & { own: BookingCheck["own_hold"]; request: Terms | null }> {
  const { now } = requester;
  const zone = zoneOfLocation(question.eventLocation, artist);
  const { minutes, understood } = readDuration(question.duration);
  const day = question.eventDate ?? dayIn(zone, now);
  const time = question.eventTime ?? assumedShow.time;
  const span = eventSpan({ date: day, time, zone, minutes });
  const { decision, ownHolds } = await availabilityOf(
    reader,
    {
      artist,
      day,
      zone,
      limits,
      declinedKind: declinedKindOf(question.eventType, limits),
      span,
      timeIsAssumed: question.eventTime === undefined,
    },
    requester,
  );
  const conflict = ownHolds.find((one) => one.booking.id === decision.by?.bookingId) ?? ownHolds[0];
  const known = "missing" in span || decision.state === "too_soon" || decision.state === "too_far" ? null : span;
  const response = {
    time_zone: zone,
    location_unknown: question.eventLocation !== undefined && matchPlace(question.eventLocation) === null,
    duration_minutes: minutes,
    duration_understood: understood,
    own: conflict ? ownHoldResponse(conflict, now) : null,
    request: conflict && decision.state === "own_hold" ? conflict.booking : null,
  };
  const unknown = {
    starts_at: null,
    ends_at: null,
    held_until: null,
    night: null,
    booking_id: null,
    next_valid: null,
    nearest: [],
    open_checkouts: [],
  };
  if (!question.eventDate)
    return { ...response, ...unknown, state: "incomplete", message: "Choose a date to see whether it is free." };
  const { state, message, nextValid } = decision;
  const browser = requester.heldBy?.browser;
  const near = nearOf(decision, day);
  return {
    ...response,
    state,
    message: known && state === "free" && question.eventTime ? message + clockChangeText(known, zone) : message,
    starts_at: state === "incomplete" ? null : (known?.startsAt ?? null),
    ends_at: state === "incomplete" ? null : (known?.endsAt ?? null),
    night: "missing" in span ? null : nightOf(span.startsAt, zoneOrUtc(artist.time_zone), limits.nightEndsAt),
    held_until: state === "held" || state === "own_hold" ? (decision.from ?? null) : null,
    booking_id: (state === "own_booking" && decision.by?.bookingId) || null,
    next_valid: nextValid ?? null,
    nearest: near ? await nearestFree(reader, { artist, ...near, time, zone, minutes, limits, now }) : [],
    open_checkouts: browser && state === "too_many_holds" ? await openCheckoutsOf(reader, browser, now) : [],
  };
}

/** Returns the day around which alternatives are offered: the requested one, or the first or last possible one, which is offered too. */
function nearOf({ state, first, last }: DateDecision, day: string): { date: string; edge?: string } | undefined {
  if (state === "held" || state === "taken" || state === "closed") return { date: day };
  if (state === "too_soon" && first) return { date: first, edge: "the first possible date" };
  if (state === "too_far" && last) return { date: last, edge: "the last possible date" };
  return undefined;
}

/** Returns the text about a change of clocks: which of two equal times begins the show, and when it ends. Empty for most shows. */
function clockChangeText({ startsAt, endsAt }: EventSpan, zone: string): string {
  const [start, end] = [startsAt, endsAt].map((at) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const second = start.toPlainDateTime().toZonedDateTime(zone, { disambiguation: "later" });
  const time = timeIn(zone, startsAt);
  return [
    ...(second.offset === start.offset
      ? []
      : [` Clocks go back, so ${time} comes twice: this is the first one (UTC${start.offset}).`]),
    ...(start.offset === end.offset
      ? []
      : [` Clocks change during the show: it ends at ${timeIn(zone, endsAt)} (UTC${end.offset}).`]),
  ].join("");
}
