import { randomUUID } from "node:crypto";
import { zoneOfLocation } from "#artists/gazetteer/index.ts";
import { declinedKindOf } from "#artists/nights/event-kinds.rules.ts";
import { lockQueues } from "#calendar/holds/index.ts";
import { type DateRequester, availabilityOf, dateErrorOf, nearestFree } from "#calendar/index.ts";
import { eventSpan } from "#calendar/time.rules.ts";
import { json, type Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import type { Actor } from "#platform/http/context.ts";
import type { Keys } from "#platform/security/keys.ts";
import { promoterIdByEmail } from "#users/index.ts";
import { broadcastToParties } from "../change-notifications.ts";
import { cancel } from "../lifecycle/transitions.ts";
import { bookingKey, hashOf } from "../links/access.ts";
import { type Caller, hasRequested } from "../policy.ts";
import { answerDueAt, isAwaitingResponse } from "../rules/acceptance.rules.ts";
import { policyNamed } from "../rules/cancellation/cancellation.rules.ts";
import { readDuration } from "../rules/duration.rules.ts";
import type { BookingRequested } from "../rules/flow.rules.ts";
import {
  type Booking,
  changeBooking,
  findByFormKey,
  insertBooking,
  lockLiveRequests,
  lockRequestsOf,
  requireConfirmation,
} from "../store.ts";
import { checkoutTypeFor } from "./date-check.ts";
import type { BookingRequest } from "./form.api.ts";
import { lockOffered, type Offer, quoteOf } from "./offer.views.ts";

export type RequestContext = DateRequester &
  Readonly<{
    actor: Pick<Actor, "userId" | "role" | "email" | "emailVerified"> | null;
    /** The night is on hold for the promoter until then. `by` is the party that makes the request, `bookingId` the stored request of the hold. */
    hold?: Readonly<{ until: Date; by: "promoter" | "artist"; bookingId: string | null }>;
    caller: Caller;
    keys: Keys;
    payments: boolean;
    browser: string | null;
  }>;

/** The result of a form. `mayGrant` is true if the sending browser may get the booking's key, `isNew` if the form stored the booking. */
export type Requested = Readonly<{ booking: Booking; mayGrant: boolean; isNew?: true }>;

/** Stores a request, or throws where its checkout would be refused (`calendar/decision.rules.ts`). The same form, or details and terms, return the stored booking. Others for this artist and evening replace the caller's request. */
export async function requestBooking(
  tx: Tx,
  request: BookingRequest,
  offer: Offer,
  context: RequestContext,
): Promise<Requested> {
  const { artist, limits } = offer;
  const { now, caller, keys } = context;
  const formKey = request.formKey ? keys.hmac("form", request.formKey).toString("base64url") : null;
  const known = formKey ? await findByFormKey(tx, formKey) : undefined;
  if (known) return sentBefore(known, request, artist.id, context);
  await lockRequestsOf(tx, personOf(context), artist.id, request.eventDate);
  const zone = zoneOfLocation(request.eventLocation, artist);
  const { minutes } = readDuration(request.duration);
  const span = eventSpan({ date: request.eventDate, time: request.eventTime, zone, minutes });
  const { policy_name, ...quote } = quoteOf(offer);
  const checkout = checkoutTypeFor(quote, context.payments);
  const holds = checkout === "deposit";
  const before = await lockLiveRequests(tx, caller, { artistId: artist.id, eventDate: request.eventDate, now });
  // A verified request that waits for the artist's answer stops a hold, and the other way round. A checkout locks the queues itself.
  if (checkout === "no_deposit" || context.hold) await lockQueues(tx, artist.id);
  // A night on hold stays bookable when the artist closes it, changes the notice or declines this kind of event.
  const restrictions = context.hold
    ? { limits: null, declinedKind: null }
    : { limits, declinedKind: declinedKindOf(request.eventType, limits) };
  const { decision, ownHolds } = await availabilityOf(
    tx,
    { artist, day: request.eventDate, zone, span, ...restrictions },
    { ...context, heldBy: holds ? context.heldBy : null },
  );
  const mine = ownHolds.find((one) => one.booking.id === decision.by?.bookingId)?.booking as Booking | undefined;
  const terms = { ...quote, policy_name, isToAccept: checkout === "no_deposit" };
  // The promoter of a hold has the terms of its request by email.
  const keepsTerms = (booking: Booking) => context.hold?.bookingId === booking.id || hasShownTerms(booking, terms);
  if (mine && isSameRequest(mine, request) && keepsTerms(mine)) return { booking: mine, mayGrant: false };
  if (decision.state !== "free" || "missing" in span) {
    const blocked = decision.state === "held" || decision.state === "taken" || decision.state === "closed";
    const near = { artist, date: request.eventDate, time: request.eventTime, zone, minutes, limits, now };
    throw dateErrorOf(decision, now, blocked ? await nearestFree(tx, near) : []);
  }
  const same = before.find((booking) => isSameRequest(booking, request) && keepsTerms(booking));
  if (same) return { booking: same, mayGrant: false };
  for (const booking of before) await cancel(tx, booking, { by: "system", code: "replaced", now });
  await lockOffered(tx, artist);
  const id = randomUUID();
  const account = accountIdOf(context.actor);
  const keyHash = account ? null : hashOf(bookingKey(keys, id));
  const isProven = isProvenBy(request, context.actor);
  const stored = await insertBooking(tx, {
    id,
    artist_id: artist.id,
    promoter_user_id: account ?? promoterIdByEmail(request.clientEmail),
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
    answer_due_at: checkout === "no_deposit" ? answerDueAt(now, span.startsAt) : null,
    ...quote,
    policy_name,
    policy: json(policyNamed(policy_name)),
    access_key_hash: keyHash,
    verified_key_hash: isProven ? keyHash : null,
    form_key: formKey,
    request_browser: context.browser,
    email_proven_at: isProven ? now : null,
    created_at: now,
    updated_at: now,
  });
  // The same form arrived twice at the same moment, and the other one was stored.
  if (!stored) return sentBefore(formKey ? await findByFormKey(tx, formKey) : undefined, request, artist.id, context);
  const isOwned = stored.promoter_user_id !== null;
  if (isOwned && stored.promoter_user_id !== context.actor?.userId) await requireConfirmation(tx, stored);
  await broadcastToParties(tx, { artist: artist.user_id, promoter: stored.promoter_user_id });
  const hold = context.hold && { by: context.hold.by, until: context.hold.until.toISOString() };
  await publish(tx, "booking.requested", { bookingId: stored.id, ...(hold && { hold }) } satisfies BookingRequested);
  return { booking: stored, mayGrant: !isOwned, isNew: true };
}

const personOf = ({ caller, browser }: RequestContext): string => caller.userId ?? browser ?? "";

const pressedTwiceMs = 60_000;

/** Returns the booking of a form that was sent twice. Only the browser that sent it first gets the key. */
function sentBefore(
  known: Booking | undefined,
  request: BookingRequest,
  artistId: string,
  { caller, browser, now }: RequestContext,
): Requested {
  if (!known || known.artist_id !== artistId || !isSameRequest(known, request))
    throw conflict("This form was already sent with other values. Reload the page.");
  const sameBrowser = known.request_browser !== null && known.request_browser === browser;
  if (!sameBrowser && !hasRequested(caller, known)) {
    // Two simultaneous requests without a cookie look like two browsers. Only the first response has the booking's key.
    if (now.getTime() - known.created_at.getTime() < pressedTwiceMs) return { booking: known, mayGrant: false };
    throw conflict(
      "This form was already sent from another browser. Continue there, or use the link in the email that confirms the request.",
    );
  }
  return { booking: known, mayGrant: known.promoter_user_id === null };
}

const isSameRequest = (booking: Booking, request: BookingRequest): boolean =>
  booking.promoter_name === request.clientName &&
  booking.promoter_email.toLowerCase() === request.clientEmail.toLowerCase() &&
  booking.promoter_phone === request.clientPhone &&
  booking.event_date === request.eventDate &&
  booking.event_time === request.eventTime &&
  booking.venue_name === request.eventLocation &&
  booking.event_type === request.eventType &&
  booking.guest_count === (request.guestCount ?? null) &&
  booking.duration === (request.duration ?? null) &&
  booking.special_requests === (request.specialRequests ?? null);

const shownTerms = ["fee_cents", "currency", "deposit_cents", "balance_cents", "policy_name"] as const;

/** Returns true if a request has the terms that the form shows now. The artist or an admin may have changed them since the request. */
const hasShownTerms = (
  booking: Booking,
  terms: Pick<Booking, (typeof shownTerms)[number]> & { isToAccept: boolean },
): boolean =>
  shownTerms.every((name) => booking[name] === terms[name]) && (booking.answer_due_at !== null) === terms.isToAccept;

/** Returns the account of a signed-in promoter. Otherwise the account with the verified address of the form owns the request. */
const accountIdOf = (actor: RequestContext["actor"]): string | null =>
  actor?.role === "promoter" && actor.emailVerified ? actor.userId : null;

/** Returns true if the signed-in sender owns the verified address of the form. An account with that address alone does not prove who sent the form. */
const isProvenBy = (request: BookingRequest, actor: RequestContext["actor"]): boolean =>
  actor !== null && actor.emailVerified && actor.email.toLowerCase() === request.clientEmail.toLowerCase();

/** Records if the account sent the request, and cancels it if not. Throws a conflict (409) if there is nothing to confirm. */
export async function confirmRequest(tx: Tx, booking: Booking, decision: { isOwn: boolean; now: Date }): Promise<void> {
  const { isOwn, now } = decision;
  if (!booking.needs_confirmation || booking.status !== "initiated")
    throw conflict("There is nothing to confirm. Reload the page.");
  await changeBooking(tx, booking, { needs_confirmation: false }, now);
  if (!isOwn) return cancel(tx, booking, { by: "system", code: "not_requested", now });
  await restartAnswer(tx, booking, now);
}

/** Begins the artist's time to answer a request without a deposit again, because they could not accept it before its confirmation. The artist is notified. */
export async function restartAnswer(tx: Tx, booking: Booking, now: Date): Promise<void> {
  if (!isAwaitingResponse(booking, now)) return;
  await changeBooking(tx, booking, { answer_due_at: answerDueAt(now, booking.starts_at) }, now);
  await publish(tx, "booking.requested", { bookingId: booking.id, confirmed: true } satisfies BookingRequested);
}
