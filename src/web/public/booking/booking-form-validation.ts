import { bookingFieldMessage, formFields, type FormField } from "#bookings/rules.ts";
import { type ValidationMessages, textOf } from "../../lib/form-validation.ts";

export type BookingText = Readonly<Record<FormField, string>>;

export function bookingText(form: FormData): BookingText {
  return Object.fromEntries(formFields.map((name) => [name, textOf(form, name)])) as BookingText;
}

export function checkBooking(text: BookingText): ValidationMessages<FormField> {
  const found = formFields.map((name) => [name, bookingFieldMessage(name, text[name])] as const);
  return Object.fromEntries(found.filter(([, message]) => message !== undefined));
}

export function contractQuestion(slug: string, { guestCount, ...text }: BookingText) {
  const filled = Object.fromEntries(Object.entries(text).filter(([, value]) => value !== ""));
  const guests = Number(guestCount);
  return { artistId: slug, ...filled, ...(Number.isInteger(guests) && guests > 0 ? { guestCount: guests } : {}) };
}

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
