import { bookingFieldMessage, formFields, type FormField } from "#bookings/rules.ts";
import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { type ValidationMessages, textOf } from "../../lib/form-validation.ts";
import { isDay } from "../../lib/format/dates.ts";
import { todayIn } from "../../ui/date-field/day-limits.ts";
import { unreadableMessage } from "../../ui/date-field/typed-day.ts";

export type BookingText = Readonly<Record<FormField, string>>;

/** Returns the form's texts. A readable date becomes YYYY-MM-DD, without a year the next such day in the venue's zone. */
export function bookingText(form: FormData, zone: string): BookingText {
  const text = Object.fromEntries(formFields.map((name) => [name, textOf(form, name)])) as BookingText;
  return { ...text, eventDate: readTypedDay(text.eventDate, todayIn(zone)) ?? text.eventDate };
}

export function checkBooking(text: BookingText): ValidationMessages<FormField> {
  const found = formFields.map((name) => [name, bookingFieldMessage(name, text[name])] as const);
  const messages = Object.fromEntries(found.filter(([, message]) => message !== undefined));
  return text.eventDate && messages["eventDate"] ? { ...messages, eventDate: unreadableMessage() } : messages;
}

export function contractQuestion(slug: string, { guestCount, ...text }: BookingText) {
  const { eventDate } = text;
  const input = isDay(eventDate) ? text : { ...text, eventDate: "" };
  const guests = Number(guestCount);
  return {
    artistId: slug,
    ...withoutEmpty(input),
    ...(Number.isInteger(guests) && guests > 0 ? { guestCount: guests } : {}),
  };
}

export const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

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
