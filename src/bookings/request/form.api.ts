import { z } from "zod";
import { emailPattern } from "#platform/email-address.rules.ts";
import { emptyAsMissing } from "#platform/http/list.api.ts";
import { visibleText } from "#platform/security/plain-name.rules.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { isStorable } from "#platform/text.rules.ts";
import { dayInput } from "#platform/time/day.api.ts";
import { bookingFieldMessage, type FormField, maxLengths, maxGuests } from "../rules/form.rules.ts";

/** Returns an optional field: absent, null and empty text all count as empty. */
export const optional = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => emptyAsMissing(value ?? undefined), shape.optional());

const field = (name: FormField, given = z.string()) =>
  given.trim().superRefine((text, context) => {
    const message = bookingFieldMessage(name, text);
    if (message) context.addIssue({ code: "custom", message });
  });

export const storable = (text: z.ZodString) =>
  text.refine(isStorable, "This text contains characters that cannot be stored.");

const lineField = (name: keyof typeof maxLengths) =>
  field(name, z.string().overwrite(visibleText))
    .pipe(oneLine(maxLengths[name]))
    .describe(`At most ${maxLengths[name]} characters`);

/** A local time of the event, HH:MM. Seconds are removed. */
export const eventTime = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, "A time is written HH:MM, from 00:00 to 23:59.")
  .transform((time) => time.slice(0, 5));
export const eventDate = z.string().trim().pipe(dayInput);
const guests = z.union(
  [
    z.int(),
    z
      .string()
      .trim()
      .regex(/^\d{1,7}$/)
      .transform(Number),
  ],
  "The number of guests is a whole number.",
);
export const slug = z.string().trim().min(1, "Choose an artist.").max(200);

export const clientEmail = field("clientEmail").pipe(z.email({ pattern: emailPattern }).max(maxLengths.clientEmail));

/** The ten fields of the form, the artist's slug, and the form's own key, which makes a repeated form idempotent. */
export const bookingRequest = z.strictObject({
  artistId: slug.describe("The artist's slug"),
  clientName: lineField("clientName"),
  clientEmail,
  clientPhone: lineField("clientPhone"),
  eventDate: field("eventDate").pipe(eventDate).describe("YYYY-MM-DD, local date of the venue"),
  eventTime: field("eventTime").pipe(eventTime).describe("HH:MM, local time of the venue"),
  eventLocation: lineField("eventLocation"),
  eventType: lineField("eventType"),
  guestCount: optional(
    guests.pipe(z.int().min(1, "At least one guest.").max(maxGuests, "This number of guests is too high.")),
  ).describe(`1 to ${maxGuests}`),
  duration: optional(lineField("duration")).describe(
    `Free text such as "2 hours", at most ${maxLengths.duration} characters; 3 hours if it cannot be parsed`,
  ),
  specialRequests: optional(field("specialRequests").pipe(prose(maxLengths.specialRequests))).describe(
    `At most ${maxLengths.specialRequests} characters`,
  ),
  balanceConsent: optional(storable(z.string().max(400))).describe(
    "The consent text that the check returned, if the promoter agreed to it; absent: no automatic payment",
  ),
  website: optional(z.string().max(500)).describe("Must be empty: users do not see this field; it detects spam bots"),
  filledSeconds: optional(z.number().min(0).max(1e9)).describe(
    "Seconds from opening to sending the form, measured by our own form",
  ),
  formKey: optional(z.string().regex(/^[\w-]{16,64}$/)).describe(
    "Random, one per form: a repeated request returns the existing booking",
  ),
});
export type BookingRequest = z.infer<typeof bookingRequest>;
