import { hasReadableText, isName } from "#platform/text.rules.ts";
import { isDay } from "#platform/time/calendar.rules.ts";
import { emailMessage, maxEmailLength } from "#platform/email-address.rules.ts";

/** The ten `name` attributes of the form, exactly (specification, section 2). */
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

/** The length of a show without a readable duration (specification: 3 hours), and the maximum, in minutes. */
export const defaultMinutes = 180;
export const maxShowMinutes = 7 * 24 * 60;

const unitMinutes = (unit: string) =>
  /^(h|hr|hrs|hour|hours|std|hs)$/.test(unit) ? 60 : /^(d|day|days)$/.test(unit) ? 1_440 : 1;
const number = (text: string) => Number(text.replace(",", "."));

/** Returns the minutes of a typed duration ("2 hours", "90 min", "2h30", "1:45"). A number without a unit is hours up to 24, else minutes. Unreadable text is 3 hours. */
export function readDuration(text: string | null | undefined): { minutes: number; understood: boolean } {
  const words = (text ?? "").trim().toLowerCase().replaceAll("½", ".5").slice(0, maxLengths.duration);
  const minutes = words === "" ? undefined : parseDuration(words);
  if (minutes === undefined || minutes < 1 || minutes > maxShowMinutes)
    return { minutes: defaultMinutes, understood: false };
  return { minutes: Math.round(minutes), understood: true };
}

function parseDuration(words: string): number | undefined {
  const sets = /^(\d{1,2})\s*(?:x|×|\*|sets? of)\s*(.+)$/.exec(words);
  if (sets?.[1] && sets[2]) {
    const each = parseDuration(sets[2]);
    return each === undefined ? undefined : Number(sets[1]) * each;
  }
  const clock = /^(\d{1,2}):([0-5]\d)(?:\s*(?:h|hours?))?$/.exec(words);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const short = /^(\d{1,2})\s*h(?:ours?)?\s*([0-5]?\d)$/.exec(words);
  if (short) return Number(short[1]) * 60 + Number(short[2]);
  if (/^\d{1,4}(?:[.,]\d{1,2})?$/.test(words)) return number(words) <= 24 ? number(words) * 60 : number(words);
  const plain = words
    .replace(/\bhalf an? hour\b/g, "30 min")
    .replace(/\b(?:a|an|one) (?=hour)/g, "1 ")
    .replace(/\b(\d{1,2}) ?(hours?|hrs?|h) and a half\b/g, "$1.5 $2");
  const amounts = /(\d{1,4}(?:[.,]\d{1,2})?)\s*(days?|d|hours?|hrs?|hs|h|minutes?|mins?|min|m)(?![a-z])/g;
  const parts = [...plain.matchAll(amounts)];
  // A length of which a part was not read would be wrong, not approximate.
  if (parts.length === 0 || /\d|\bhalf\b|\bquarter\b/.test(plain.replaceAll(amounts, ""))) return undefined;
  return parts.reduce((sum, [, amount = "0", unit = "m"]) => sum + number(amount) * unitMinutes(unit), 0);
}

export function describeDuration(minutes: number): string {
  const count = (amount: number, unit: string) => (amount === 0 ? [] : [`${amount} ${unit}${amount === 1 ? "" : "s"}`]);
  return [...count(Math.floor(minutes / 60), "hour"), ...count(minutes % 60, "minute")].join(" ");
}

/** The prefixes and lengths of the usual card brands. */
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
  if (field === "clientName" && !isName(text)) return "Enter your name with at least two letters, in one line.";
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
