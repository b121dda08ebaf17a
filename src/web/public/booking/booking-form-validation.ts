/** The ten fields of the booking form: what is wrong with them, in words, and what is sent. */
import { formFields, type FormField, holdsCardNumber, mostGuests } from "#bookings/rules.ts";
import { readDay } from "../../lib/format/dates.ts";
import { emailMessage, type ValidationMessages, textOf } from "../../lib/form-validation.ts";

export type BookingText = Readonly<Record<FormField, string>>;

/** The ten texts as they stand in the form, without spaces around them. */
export function bookingText(form: FormData): BookingText {
  return Object.fromEntries(formFields.map((name) => [name, textOf(form, name)])) as BookingText;
}

/** A message for each field that is wrong. */
export function checkBooking(text: BookingText): ValidationMessages<FormField> {
  const found: Record<FormField, string | undefined> = {
    clientName: text.clientName ? undefined : "Please write your full name. It stands in the contract.",
    clientEmail: text.clientEmail
      ? emailMessage(text.clientEmail, "the contract can reach you")
      : "Please write your email address. The contract goes there.",
    clientPhone: phoneMessage(text.clientPhone),
    eventDate: readDay(text.eventDate) ? undefined : "Please choose the date of your event.",
    eventTime: /^([01]\d|2[0-3]):[0-5]\d$/.test(text.eventTime)
      ? undefined
      : "Please choose when the show starts, in the venue's local time.",
    eventLocation: text.eventLocation ? undefined : "Please say where the event is: the venue and its town.",
    eventType: text.eventType ? undefined : "Please choose what kind of event it is.",
    guestCount: guestCountMessage(text.guestCount),
    duration: undefined,
    specialRequests: holdsCardNumber(text.specialRequests)
      ? "This looks like a card number. Please take it out; cards are asked for at the checkout only."
      : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined));
}

function phoneMessage(phone: string): string | undefined {
  if (!phone) return "Please write a phone number. It is used when something changes on the day.";
  return phone.replaceAll(/\D/g, "").length < 5
    ? "This number is too short to be called. Write it with its area code."
    : undefined;
}

function guestCountMessage(count: string): string | undefined {
  if (!count) return undefined;
  const guests = Number(count);
  return Number.isInteger(guests) && guests >= 1 && guests <= mostGuests
    ? undefined
    : "Please write the number of guests in digits, like 180, or leave it empty.";
}

/** What POST /api/bookings takes: the ten fields, and the artist's slug. Optional ones that are empty are left out. */
export function bookingBody(slug: string, text: BookingText) {
  const { guestCount, duration, specialRequests, ...required } = text;
  return {
    artistId: slug,
    ...required,
    ...(guestCount ? { guestCount: Number(guestCount) } : {}),
    ...(duration ? { duration } : {}),
    ...(specialRequests ? { specialRequests } : {}),
  };
}
