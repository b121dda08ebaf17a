import {
  convertHold,
  findHoldToBook,
  findHoldToConvert,
  findPromoterByEmail,
  type HeldNight,
  markRequested,
  requireConvertible,
} from "#calendar/holds/index.ts";
import { eventDateOf } from "#calendar/night.rules.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { unlessAddress } from "#platform/email-address.rules.ts";
import { notFound, Problem, conflict, invalidField } from "#platform/errors.ts";
import type { Actor } from "#platform/http/context.ts";
import type { Keys } from "#platform/security/keys.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import { acceptRequest } from "../acceptance/acceptance.ts";
import { type Caller, isOwnOf } from "../policy.ts";
import { checkoutTypeFor } from "../request/date-check.ts";
import type { BookingRequest } from "../request/form.api.ts";
import { type Offer, quoteOf, requireOffer } from "../request/offer.views.ts";
import { requestBooking, type RequestContext } from "../request/requests.ts";
import { artistOfBooking } from "../views.ts";

type Contact = Pick<BookingRequest, "clientName" | "clientEmail" | "clientPhone">;
type NightToBook = Readonly<{ hold: HeldNight; form: BookingRequest; offer: Offer }>;

/** Returns the form and the offer of a night of the promoter's own hold. Throws not found (404) for other holds, forbidden (403) without a verified mailbox. */
export async function findHeldNight(
  reader: Reader,
  actor: Actor,
  { id, night }: { id: string; night: string },
): Promise<NightToBook> {
  const hold = await findHoldToBook(reader, { id, night, userId: actor.userId });
  if (!hold) throw notFound("Hold not found");
  if (!actor.emailVerified) throw new Problem("forbidden", "Confirm your email address first.");
  const unnamed = "Your account has no name yet. Enter it on the account page first.";
  return nightToBook(reader, { hold, night }, await contactOf(reader, hold, { userId: actor.userId, unnamed }));
}

async function contactOf(
  reader: Reader,
  hold: HeldNight,
  { userId, unnamed }: { userId: string; unnamed: string },
): Promise<Contact> {
  const { phone, contactName } = await promoterSettings(reader, userId);
  const clientName = contactName || unlessAddress(hold.name);
  if (clientName === "") throw conflict(unnamed);
  return {
    clientName,
    clientEmail: hold.email ?? "",
    clientPhone: phone ?? "",
  };
}

async function nightToBook(reader: Reader, { hold, night }: { hold: HeldNight; night: string }, contact: Contact) {
  const offer = await requireOffer(reader, hold.slug);
  const { nightEndsAt } = await artistSettings(reader, offer.artist.id);
  const form: BookingRequest = {
    artistId: hold.slug,
    ...contact,
    eventDate: eventDateOf(night, hold.event_time, nightEndsAt),
    eventTime: hold.event_time,
    eventLocation: hold.event_location,
    eventType: hold.event_type,
    ...(hold.note ? { specialRequests: hold.note } : {}),
  };
  return { hold, form, offer };
}

export async function requestHeldNight(
  tx: Tx,
  { hold, form, offer }: NightToBook,
  by: RequestContext,
): Promise<string> {
  const { booking } = await requestBooking(tx, form, offer, {
    ...by,
    hold: { until: hold.until, by: "promoter", bookingId: hold.booking_id },
  });
  await markRequested(tx, { artistId: offer.artist.id, holdNightId: hold.id, bookingId: booking.id });
  return booking.id;
}

type Converted = NightToBook & Readonly<{ id: string; night: string; actor: RequestContext["actor"] }>;

/** Returns a held night for the artist to book. Throws not found (404) for holds of other artists, a conflict (409) if it cannot be booked, invalid (400) without an address. */
export async function findNightToConvert(
  reader: Reader,
  { id, night, userId, email }: { id: string; night: string; userId: string; email: string | undefined },
  payments: boolean,
): Promise<Converted> {
  const hold = await findHoldToConvert(reader, { id, night, userId });
  if (!hold) throw notFound("Hold not found");
  requireConvertible(night, hold);
  const address = (hold.promoter_user_id && hold.email) ?? hold.entered_email ?? email;
  if (!address) throw invalidField("email", "Enter the promoter's email address.");
  const account = hold.promoter_user_id ?? (await findPromoterByEmail(reader, address));
  // A hold entered by hand displays the artist's own text, because the artist must not learn if an account has the address.
  const contact =
    hold.entered_name === null && account
      ? await contactOf(reader, hold, {
          userId: account,
          unnamed: "The promoter's account has no name yet. The promoter enters it on the account page.",
        })
      : { clientName: hold.entered_name ?? address, clientEmail: address, clientPhone: "" };
  const found = await nightToBook(reader, { hold, night }, contact);
  const checkout = checkoutTypeFor(quoteOf(found.offer), payments);
  if (checkout === "payments_not_set_up")
    throw conflict("Payments are not set up on this site yet, so the night cannot be booked.");
  if (checkout === "on_request")
    throw conflict("Your price is on request, so there is nothing to pay. Set a price first.");
  const actor =
    hold.entered_name === null && account
      ? { userId: account, role: "promoter" as const, email: address, emailVerified: true }
      : null;
  return { ...found, id, night, actor };
}

/** Makes the booking request of a first hold. Without a deposit it books the night of a promoter's own hold. A hold entered by hand is no action of its promoter, who confirms the request first (decision 0010). Throws a conflict (409) if the hold has ended or is being booked. */
export async function convertHeldNight(
  tx: Tx,
  { hold, form, offer, id, night, actor }: Converted,
  { now, keys, artistCaller }: { now: Date; keys: Keys; artistCaller: Caller },
): Promise<{ booking_id: string; booked: boolean }> {
  const caller: Caller = { userId: actor?.userId ?? null, role: actor?.role ?? null, keyHashes: [] };
  const { booking } = await requestBooking(tx, form, offer, {
    actor,
    caller,
    isOwn: isOwnOf(caller),
    promoterUserId: caller.userId,
    holdNightId: hold.id,
    hold: { until: hold.until, by: "artist", bookingId: hold.booking_id },
    heldBy: null,
    browser: null,
    payments: true,
    keys,
    now,
  });
  const hasDeposit = booking.answer_due_at === null;
  await convertHold(tx, { artist: offer.artist, night }, { holdId: id, bookingId: booking.id, hasDeposit }, now);
  if (hasDeposit || hold.entered_name !== null) return { booking_id: booking.id, booked: false };
  const artist = await artistOfBooking(tx, booking);
  await acceptRequest(tx, booking, artist, { caller: artistCaller, now, payments: true });
  return { booking_id: booking.id, booked: true };
}
