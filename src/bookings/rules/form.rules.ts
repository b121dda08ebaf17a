import { emailMessage, maxEmailLength } from "#platform/email-address.rules.ts";
import { isName, visibleText } from "#platform/security/plain-name.rules.ts";
import { hasReadableText } from "#platform/text.rules.ts";
import { isDay } from "#platform/time/calendar.rules.ts";

/** The ten `name` attributes of the form. Other programs depend on them. */
export const formFields = [
  "clientName",
  "clientEmail",
  "clientPhone",
  "eventDate",
  "eventTime",
  "eventLocation",
  "eventType",
  "guestCount",
  "duration",
  "specialRequests",
] as const;
export type FormField = (typeof formFields)[number];

export const eventTypes = [
  "Wedding",
  "Corporate event",
  "Private party",
  "Birthday",
  "Festival",
  "Concert",
  "Club night",
  "Charity event",
  "Other",
] as const;

export const maxLengths = {
  clientName: 120,
  clientEmail: maxEmailLength,
  clientPhone: 40,
  eventLocation: 300,
  eventType: 80,
  duration: 80,
  specialRequests: 4_000,
} as const satisfies Partial<Record<FormField, number>>;
export const maxGuests = 1_000_000;

const cardNumber =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0|6|8)\d{12}|6(?:011|5\d\d)\d{12}|35\d{14}|62\d{14,17})$/;

/** Returns true if the text contains a card number (brand prefix, length, Luhn). Card numbers must not be stored. */
export function holdsCardNumber(text: string): boolean {
  return [...text.matchAll(/\d+(?:[\s./-]\d+)*/g)].some(([chain]) => {
    const groups = chain.split(/\D/);
    return groups.some((_group, from) => startsWithCard(groups.slice(from)));
  });
}

function startsWithCard(groups: readonly string[]): boolean {
  let digits = "";
  for (const group of groups) {
    digits += group;
    if (digits.length > 19) return false;
    if (cardNumber.test(digits) && isLuhn(digits)) return true;
  }
  return false;
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}

const cardMessage = "This looks like a card number. Remove it. We ask for cards only at the checkout.";

const missing: Partial<Record<FormField, string>> = {
  clientName: "Enter your full name. We use it in the contract.",
  clientEmail: "Enter your email address. The contract goes there.",
  clientPhone: "Enter a phone number, in case something changes on the day.",
  eventDate: "Choose the date of your event.",
  eventTime: "Choose when the show starts, in the venue's local time.",
  eventLocation: "Enter the venue and town.",
  eventType: "Choose an event type.",
};

/** Returns the error message of a field, or undefined. Form and API use the same messages. Times are HH:MM, days YYYY-MM-DD. */
export function bookingFieldMessage(field: FormField, text: string): string | undefined {
  if (!text) return missing[field];
  if (field === "clientEmail") return emailMessage(text, "the contract can reach you");
  const { [field]: max }: Partial<Record<FormField, number>> = maxLengths;
  if (max !== undefined && text.length > max) return `At most ${max} characters.`;
  if (field === "clientName" && !isName(visibleText(text)))
    return "Enter your name with at least two letters, in one line.";
  if ((field === "eventLocation" || field === "eventType") && !hasReadableText(text)) return missing[field];
  if (field === "eventDate") return isDay(text) ? undefined : missing.eventDate;
  if (field === "eventTime") return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) ? undefined : missing.eventTime;
  if (field === "guestCount") return guestCountMessage(text);
  if (field === "clientPhone" && text.replaceAll(/\D/g, "").length < 5)
    return "This number is too short to be called. Write it with its area code.";
  return holdsCardNumber(text) ? cardMessage : undefined;
}

function guestCountMessage(text: string): string | undefined {
  const guests = Number(text);
  return /^\d{1,7}$/.test(text) && guests >= 1 && guests <= maxGuests
    ? undefined
    : "Enter the number of guests in digits, like 180, or leave it empty.";
}
