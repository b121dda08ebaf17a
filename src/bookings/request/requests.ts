/** A request arrives: checked, priced, stored. It holds nothing. */
import { randomUUID } from "node:crypto";
import { type Tx, json } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { Keys } from "#platform/keys.ts";
import { publish } from "#platform/event-outbox.ts";
import { artistSettings } from "#settings/index.ts";
import { bookingKey, hashOf } from "./access.ts";
import type { BookingRequest } from "./form.api.ts";
import { quoteOf, requireBookableArtist, timeHasPassed, zoneOf } from "../availability/check.ts";
import { type IsOwn, isSameRequest, ownHoldRefusal, ownHolds, ownIn } from "../availability/own-holds.ts";
import { type BookingRequested, policyNamed, readDuration } from "../rules.ts";
import { signalBooking } from "../signals.ts";
import { type Booking, findByFormKey, insertBooking } from "../store.ts";
import { eventSpan, outsideLimits } from "../availability/time.ts";
import { findPromoterByEmail } from "../views.ts";

export type RequestContext = Readonly<{ now: Date; actor: Actor | null; keys: Keys; isOwn?: IsOwn }>;

/**
 * Stores a request with the snapshot of its terms. Refuses inactive artists, dates outside notice and advance limits and
 * local times that do not exist. The same form key answers the booking that is there, and so do the same answers while
 * their own checkout is open; other answers for hours that the caller holds are refused (decision 0030).
 */
export async function requestBooking(tx: Tx, request: BookingRequest, frame: RequestContext): Promise<Booking> {
  const artist = await requireBookableArtist(tx, request.artistId);
  const formKey = request.formKey ? frame.keys.hmac("form", request.formKey).toString("base64url") : null;
  const known = formKey ? await findByFormKey(tx, formKey) : undefined;
  if (known) return sameRequest(known, request, artist.id);
  const zone = zoneOf(request.eventLocation, artist);
  const { minutes } = readDuration(request.duration);
  const wrong = (field: string, message: string, more: object = {}) =>
    new Problem("invalid", message, { data: { fields: [{ field, message }], ...more } });
  const outside = outsideLimits(request.eventDate, await artistSettings(tx, artist.id), zone, frame.now);
  if (outside)
    throw wrong("eventDate", outside.message, { state: outside.state, first: outside.first, last: outside.last });
  const span = eventSpan({ date: request.eventDate, time: request.eventTime, zone, minutes });
  if ("missing" in span)
    throw wrong("eventTime", span.missing.message, { state: "invalid_time", next_valid: span.missing.nextValid });
  if (span.startsAt <= frame.now) throw wrong("eventTime", timeHasPassed);
  const mine = frame.isOwn ? ownIn(await ownHolds(tx, artist.id, frame.isOwn, frame.now), span) : undefined;
  if (mine && isSameRequest(mine.booking, request)) return mine.booking;
  if (mine) throw ownHoldRefusal(mine, frame.now);
  const { policy_name, ...quote } = await quoteOf(tx, artist);
  const id = randomUUID();
  const stored = await insertBooking(tx, {
    id,
    artist_id: artist.id,
    promoter_user_id: await promoterOf(tx, request, frame.actor),
    promoter_name: request.clientName,
    promoter_email: request.clientEmail,
    promoter_phone: request.clientPhone,
    event_date: request.eventDate,
    event_time: request.eventTime,
    event_type: request.eventType,
    guest_count: request.guestCount ?? null,
    duration: request.duration ?? null,
    duration_minutes: minutes,
    special_requests: request.specialRequests ?? null,
    venue_name: request.eventLocation,
    venue_address: request.eventLocation,
    time_zone: zone,
    starts_at: span.startsAt,
    ends_at: span.endsAt,
    ...quote,
    policy_name,
    policy: json(policyNamed(policy_name)),
    access_key_hash: hashOf(bookingKey(frame.keys, id)),
    form_key: formKey,
    created_at: frame.now,
    updated_at: frame.now,
  });
  if (!stored) return sameRequest(formKey ? await findByFormKey(tx, formKey) : undefined, request, artist.id);
  await signalBooking(tx, stored.id);
  await publish(tx, "booking.requested", { bookingId: stored.id } satisfies BookingRequested);
  return stored;
}

/** The booking of a form that was sent twice; the key alone opens nothing. */
function sameRequest(known: Booking | undefined, request: BookingRequest, artistId: string): Booking {
  const same =
    known?.artist_id === artistId &&
    known.promoter_email === request.clientEmail &&
    known.event_date === request.eventDate &&
    known.event_time === request.eventTime;
  if (known && same) return known;
  throw new Problem("conflict", "This form was sent before with other answers. Please load the page again.");
}

/** The signed-in promoter; else the account whose proven mailbox was written into the form. */
async function promoterOf(tx: Tx, request: BookingRequest, actor: Actor | null): Promise<string | null> {
  if (actor?.role === "promoter" && actor.emailVerified) return actor.userId;
  return findPromoterByEmail(tx, request.clientEmail);
}
