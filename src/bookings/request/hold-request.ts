/** Booking a ranked hold sends a request like any other, with the form filled in from the hold and the account. */
import { findHoldToBook, markRequested } from "#calendar/holds/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import type { BookingRequest } from "./form.api.ts";
import { type Offer, requireOffer } from "./offer.views.ts";
import { requestBooking, type RequestContext } from "./requests.ts";

type HeldNight = Readonly<{ holdNightId: string; form: BookingRequest; offer: Offer }>;

/** Returns the form and the offer of a night of the promoter's own hold. Throws not found (404) for every other hold. The notice counted when the hold was placed, and does not count again. */
export async function findHeldNight(
  reader: Reader,
  actor: Actor,
  { id, night }: { id: string; night: string },
): Promise<HeldNight> {
  const hold = await findHoldToBook(reader, { id, night, userId: actor.userId });
  if (!hold) throw notFound("Hold not found");
  if (!actor.emailVerified) throw new Problem("forbidden", "Confirm your email address first.");
  const { limits, ...offer } = await requireOffer(reader, hold.slug);
  const { nightEndsAt } = await artistSettings(reader, offer.artist.id);
  const { phone, contactName } = await promoterSettings(reader, actor.userId);
  const form: BookingRequest = {
    artistId: hold.slug,
    clientName: contactName || hold.name || (hold.email ?? ""),
    clientEmail: hold.email ?? "",
    clientPhone: phone ?? "",
    // A set after midnight belongs to the night, and its date is the next day.
    eventDate: hold.event_time < nightEndsAt ? addDays(night, 1) : night,
    eventTime: hold.event_time,
    eventLocation: hold.event_location,
    eventType: hold.event_type,
    ...(hold.note ? { specialRequests: hold.note } : {}),
  };
  return { holdNightId: hold.id, form, offer: { ...offer, limits: { ...limits, minimumNotice: 0 } } };
}

/** Stores the request for a held night, and returns its id. Throws as any request does. */
export async function requestHeldNight(
  tx: Tx,
  { holdNightId, form, offer }: HeldNight,
  by: RequestContext,
): Promise<string> {
  const { booking } = await requestBooking(tx, form, offer, by);
  await markRequested(tx, { artistId: offer.artist.id, holdNightId, bookingId: booking.id });
  return booking.id;
}
