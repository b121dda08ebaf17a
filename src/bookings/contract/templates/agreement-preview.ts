import { zoneOfLocation } from "#artists/gazetteer/index.ts";
import { composeAgreement, currentTemplate } from "#contracts/agreements-for-bookings.ts";
import { type ContractTerms, type AgreementText, type TemplateVariable } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { dayIn } from "#platform/time/calendar.rules.ts";
import { platformSettings } from "#settings/index.ts";
import type { ContractQuestion } from "../../request/availability.api.ts";
import { quoteOf, requireOffer } from "../../request/offer.views.ts";
import { policyNamed } from "../../rules/cancellation/cancellation.rules.ts";
import { readDuration } from "../../rules/duration.rules.ts";
import type { Booking } from "../../store.ts";
import { contractTerms, termsOfShow } from "../contract-terms.ts";
import { agreementContext } from "../sending.ts";

type Unknown = Partial<Record<TemplateVariable, string>>;

/** A stage name is public. Only a promoter who has paid gets the artist's legal name and contact details. */
const partyBeforePayment = (name: string) =>
  `${name} [legal name, address and email, as far as the artist has given them: in the contract that is sent]`;

/** Returns the agreement for the form's values, with placeholders in brackets. Throws a conflict (409) for a price on request. */
export async function previewOfForm(reader: Reader, question: ContractQuestion, now: Date): Promise<AgreementText> {
  const { artist, platform, limits } = await requireOffer(reader, question.artistId);
  const { policy_name, ...quote } = quoteOf({ artist, platform, limits });
  requirePrice(quote.fee_cents);
  const zone = zoneOfLocation(question.eventLocation, artist);
  const venue = question.eventLocation ?? "[the venue]";
  const terms: ContractTerms = {
    artist: { id: artist.id, name: artist.name },
    promoter: {
      name: question.clientName ?? "[your name]",
      email: question.clientEmail ?? "[your email]",
      phone: question.clientPhone ?? "[your phone]",
    },
    ...termsOfShow({
      event_date: question.eventDate ?? dayIn(zone, now),
      event_time: question.eventTime ?? "20:00",
      time_zone: zone,
      duration_minutes: readDuration(question.duration).minutes,
      event_type: question.eventType ?? "[the kind of event]",
      guest_count: question.guestCount ?? null,
      venue_name: venue,
      venue_address: venue,
      special_requests: question.specialRequests ?? null,
      ...quote,
      policy: policyNamed(policy_name),
    }),
  };
  return compose(reader, platform.defaultTemplateId, terms, {
    number: "[the number of your request]",
    artist_party: partyBeforePayment(artist.name),
    ...(question.eventDate ? {} : { event_date: "[the date]", balance_due: "[the due date]", time_zone: zone }),
    ...(question.eventTime ? {} : { start_time: "[start]", end_time: "[end]" }),
  });
}

/** Returns the agreement that is sent if the deposit is paid now. Throws a conflict (409) after the payment, or for a price on request. */
export async function previewOfBooking(
  reader: Reader,
  booking: Booking,
  artist: { id: string; name: string; user_id: string | null },
): Promise<AgreementText> {
  if (booking.status !== "initiated")
    throw conflict("The status of this booking has changed. Its page shows the contract, if there is one.");
  requirePrice(booking.fee_cents);
  const terms = await contractTerms(reader, booking, artist);
  const { defaultTemplateId } = await platformSettings(reader);
  return compose(reader, defaultTemplateId, terms, {
    number: booking.number,
    artist_party: partyBeforePayment(artist.name),
  });
}

function requirePrice(feeCents: number): void {
  if (feeCents === 0) throw conflict("The price is on request. A contract needs a price.");
}

async function compose(
  reader: Reader,
  templateId: string,
  terms: ContractTerms,
  unknown: Unknown & { number: string },
) {
  const template = await currentTemplate(reader, templateId);
  return composeAgreement({ template, terms, context: agreementContext(unknown, { terms }) }, unknown);
}
