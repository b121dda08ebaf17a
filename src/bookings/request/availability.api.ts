import { z } from "zod";
import { prose } from "#platform/security/text.api.ts";
import { artistOf } from "../booking.api.ts";
import { maxLengths, maxGuests } from "../rules/form.rules.ts";
import { eventDate, eventTime, optional, slug, storable } from "./form.api.ts";

const typing = (max: number) => optional(storable(prose(max)));

/** The form's current values. The email address counts for the limits on holds, because the later request counts it too. */
export const dateQuestion = z.strictObject({
  artistId: slug,
  clientEmail: typing(maxLengths.clientEmail),
  eventDate: optional(eventDate),
  eventTime: optional(eventTime),
  duration: typing(maxLengths.duration),
  eventLocation: typing(maxLengths.eventLocation),
  eventType: typing(maxLengths.eventType),
});
export type DateQuestion = z.infer<typeof dateQuestion>;

export const contractQuestion = dateQuestion.extend({
  clientName: typing(maxLengths.clientName),
  clientPhone: typing(maxLengths.clientPhone),
  guestCount: optional(z.int().min(1).max(maxGuests)),
  specialRequests: typing(maxLengths.specialRequests),
});
export type ContractQuestion = z.infer<typeof contractQuestion>;

/** Whether the caller can request a date and pay its deposit now: `state` for programs and a message for the user. */
const dateAnswer = z.object({
  state: z.enum([
    "incomplete",
    "free",
    "own_hold",
    "own_booking",
    "held",
    "taken",
    "too_soon",
    "too_far",
    "closed",
    "invalid_time",
    "kind_declined",
    "held_elsewhere",
    "too_many_holds",
    "held_before",
  ]),
  message: z.string(),
  time_zone: z.string(),
  location_unknown: z.boolean().describe("True: we know no town in the location, so the time zone is the artist's"),
  starts_at: z.date().nullable(),
  ends_at: z.date().nullable(),
  duration_minutes: z.int(),
  duration_understood: z.boolean(),
  held_until: z.date().nullable(),
  night: z.iso.date().nullable().describe("The artist's night of this time, which holds are for. Null without a date"),
  booking_id: z.uuid().nullable().describe("The caller's own booking, if it has the date"),
  next_valid: z.object({ date: z.iso.date(), time: z.string() }).nullable(),
  nearest: z.array(z.object({ date: z.iso.date(), reason: z.string() })).max(3),
  open_checkouts: z
    .array(z.object({ slug: z.string(), name: z.string(), event_date: z.iso.date() }))
    .describe("For too_many_holds: the dates that this browser holds; empty if another browser holds them"),
});
export type DateAnswer = z.infer<typeof dateAnswer>;

export const ownHold = z.object({
  booking_id: z.uuid(),
  event_date: z.iso.date(),
  event_time: z.string(),
  venue_name: z.string(),
  time_zone: z.string(),
  open_until: z.date(),
  open: z.boolean().describe("Whether it can still be paid"),
  stays_on_hold: z.boolean().describe("A ranked hold of the night stays when this checkout ends"),
  message: z.string(),
});

export const bookingCheck = z.object({
  artist: artistOf,
  price: z.object({
    fee_cents: z.int(),
    currency: z.string(),
    deposit_percent: z.int(),
    deposit_cents: z.int(),
    balance_cents: z.int(),
    balance_due: z.iso.date().nullable().describe("Null: due as soon as both have signed"),
    policy_name: z.string(),
  }),
  checkout: z
    .enum(["deposit", "on_request", "no_deposit", "payments_not_set_up"])
    .describe("The next step after the form is sent"),
  date: dateAnswer,
  travel: z
    .object({ miles: z.int(), radius: z.int() })
    .nullable()
    .describe("The venue is outside the artist's travel radius; the request can still be sent"),
  own_hold: ownHold.nullable(),
  balance_consent: z
    .string()
    .nullable()
    .describe("The consent text for the automatic charge of the balance; null if there is nothing to charge"),
});
export type BookingCheck = z.infer<typeof bookingCheck>;
