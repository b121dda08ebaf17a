/** What this room answers. Field names are the specification's; amounts are cents beside their currency. */
import { z } from "zod";
import { cursorInput, endpoint, limitInput, pageOf } from "#platform/http/api.ts";
import { bookingStatusNames, holdsCardNumber, longest, mostGuests } from "./rules.ts";

const empty = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
/** An optional field of a form: absent, null and empty text all mean that nothing was said. */
const optional = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === null ? undefined : empty(value)), shape.optional());

const readable = (text: string) => !text.includes("\0") && text.isWellFormed();
const isOneLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text);
const noCard = (text: string) => !holdsCardNumber(text);
const cardSentence = "This looks like a card number. Please take it out; cards are asked for at the checkout only.";

const line = (max: number, missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(max, `At most ${max} characters.`)
    .refine(isOneLine, "Please write this in one line.")
    .refine(readable, "This text contains characters that cannot be stored.");

const eventTime = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, "A time is written HH:MM, from 00:00 to 23:59.")
  .transform((time) => time.slice(0, 5));
const eventDate = z.string().trim().pipe(z.iso.date("A date is written YYYY-MM-DD and must exist."));
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
const slug = z.string().trim().min(1, "Please say which artist.").max(200);

/** The ten fields of the form, the artist's slug, and the form's own key that makes sending it twice harmless. */
export const bookingRequest = z.strictObject({
  artistId: slug.describe("The artist's slug"),
  clientName: line(longest.name, "Please write your full name.").refine(noCard, cardSentence),
  clientEmail: z
    .string()
    .trim()
    .max(longest.email, "This address is too long.")
    .pipe(z.email("Please write an email address such as name@example.org.")),
  clientPhone: line(longest.phone, "Please write a phone number.")
    .refine((text) => text.replaceAll(/\D/g, "").length >= 5, "This phone number is too short.")
    .refine(noCard, cardSentence),
  eventDate: eventDate.describe("YYYY-MM-DD, where the event is"),
  eventTime: eventTime.describe("HH:MM on the clock of the event's place"),
  eventLocation: line(longest.location, "Please say where the event is.").refine(noCard, cardSentence),
  eventType: line(longest.eventType, "Please say what kind of event it is.").refine(noCard, cardSentence),
  guestCount: optional(
    guests.pipe(z.int().min(1, "At least one guest.").max(mostGuests, "These are more guests than any place holds.")),
  ),
  duration: optional(line(longest.duration, "").refine(noCard, cardSentence)).describe(
    'Free text such as "2 hours"; 3 hours when it cannot be read',
  ),
  specialRequests: optional(
    z
      .string()
      .trim()
      .max(longest.specialRequests, `At most ${longest.specialRequests} characters.`)
      .refine(readable, "This text contains characters that cannot be stored.")
      .refine(noCard, cardSentence),
  ),
  formKey: optional(z.string().regex(/^[\w-]{16,64}$/)).describe(
    "Random, one per form: a repeat answers the booking that is there",
  ),
});
export type BookingRequest = z.infer<typeof bookingRequest>;

/** A booking as its parties see it. */
export const booking = z.object({
  id: z.uuid(),
  artist_id: z.uuid(),
  promoter_name: z.string(),
  promoter_email: z.string(),
  promoter_phone: z.string(),
  event_date: z.iso.date(),
  event_time: z.string(),
  event_type: z.string(),
  guest_count: z.int().nullable(),
  duration: z.string().nullable(),
  duration_minutes: z.int(),
  special_requests: z.string().nullable(),
  venue_name: z.string(),
  venue_address: z.string(),
  time_zone: z.string(),
  starts_at: z.date(),
  ends_at: z.date(),
  status: z.enum(bookingStatusNames),
  fee_cents: z.int(),
  currency: z.string(),
  deposit_percent: z.int(),
  deposit_cents: z.int(),
  balance_cents: z.int(),
  policy_name: z.string(),
  balance_paid: z.boolean(),
  canceled_at: z.date().nullable(),
  canceled_by: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  version: z.int(),
  created_at: z.date(),
});
export type BookingReply = z.infer<typeof booking>;

const artistOf = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  genre: z.string(),
  location: z.string(),
});
const paymentOf = z.object({
  kind: z.enum(["deposit", "balance"]),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
});

/** A booking in a list, with its artist, payments and contract. */
export const listedBooking = booking.extend({
  artist: artistOf,
  payments: z.array(paymentOf),
  contract_status: z.enum(["draft", "sent", "signed", "declined"]).nullable(),
});
export type ListedBooking = z.infer<typeof listedBooking>;

/** The artist's view: contact details open once both have signed; `hold` while somebody is at the checkout. */
export const artistBooking = listedBooking.extend({
  promoter_email: z.string().nullable(),
  promoter_phone: z.string().nullable(),
  hold: z.object({ expires_at: z.date() }).nullable(),
});
export type ArtistBooking = z.infer<typeof artistBooking>;

const typing = (max: number) =>
  optional(z.string().trim().max(max).refine(readable, "This text contains characters that cannot be stored."));

/** What the form knows so far. */
export const dateQuestion = z.strictObject({
  artistId: slug,
  eventDate: optional(eventDate),
  eventTime: optional(eventTime),
  duration: typing(longest.duration),
  eventLocation: typing(longest.location),
});
export type DateQuestion = z.infer<typeof dateQuestion>;

/** Whether a date can be asked for, in a word for the screen and a sentence for people. */
export const dateAnswer = z.object({
  state: z.enum(["incomplete", "free", "own_hold", "held", "taken", "too_soon", "too_far", "invalid_time"]),
  message: z.string(),
  time_zone: z.string(),
  starts_at: z.date().nullable(),
  ends_at: z.date().nullable(),
  duration_minutes: z.int(),
  duration_understood: z.boolean(),
  held_until: z.date().nullable(),
  next_valid: z.object({ date: z.iso.date(), time: z.string() }).nullable(),
  nearest: z.array(z.object({ date: z.iso.date(), reason: z.string() })).max(3),
});
export type DateAnswer = z.infer<typeof dateAnswer>;

/** The asker's own open checkout with this artist, to be continued or let go. */
export const ownHold = z.object({
  booking_id: z.uuid(),
  event_date: z.iso.date(),
  event_time: z.string(),
  venue_name: z.string(),
  open_until: z.date(),
  open: z.boolean().describe("Whether it can still be paid"),
  message: z.string(),
});
export type OwnHold = z.infer<typeof ownHold>;

export const bookingCheck = z.object({
  artist: artistOf,
  price: z.object({
    fee_cents: z.int(),
    currency: z.string(),
    deposit_percent: z.int(),
    deposit_cents: z.int(),
    balance_cents: z.int(),
    balance_due: z.iso.date().nullable().describe("Null: at once, when both have signed"),
    policy_name: z.string(),
  }),
  checkout: z.enum(["deposit", "on_request", "payments_not_set_up"]).describe("What happens after the form is sent"),
  date: dateAnswer,
  own_hold: ownHold.nullable(),
});
export type BookingCheck = z.infer<typeof bookingCheck>;

const search = z.preprocess(
  empty,
  z.string().trim().max(200).refine(readable, "The search contains characters that no name can have.").optional(),
);
const page = { search, limit: z.preprocess(empty, limitInput.optional()), cursor: z.preprocess(empty, cursorInput) };
/** One's own bookings: all, those whose show is still ahead, or those that are over. */
const ownPage = z.strictObject({ ...page, when: z.preprocess(empty, z.enum(["upcoming", "past"]).optional()) });
const id = z.uuid("This is not the id of a booking.");
const neutral = "If you have just paid, your payment is being confirmed. Details are sent by email.";

/** What a stranger reads on the success page, whether or not the session exists. */
export const neutralSentence = neutral;

const sessionReply = z.union([
  z.object({ found: z.literal(false), message: z.string() }),
  z.object({
    found: z.literal(true),
    payment: paymentOf.extend({ payment_date: z.date().nullable(), refunded_cents: z.int() }),
    booking,
    artist: artistOf,
  }),
]);
export type SessionReply = z.infer<typeof sessionReply>;

const functionsTag = { method: "POST", tags: ["functions"] } as const;
const bookingsTag = { tags: ["bookings"] } as const;

export const bookingsApi = {
  request: endpoint("public")
    .route({
      ...bookingsTag,
      method: "POST",
      path: "/bookings",
      operationId: "requestBooking",
      successStatus: 201,
      summary: "Ask for a date",
    })
    .input(bookingRequest)
    .output(booking),
  check: endpoint("public")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/bookings/check",
      operationId: "checkDate",
      summary: "Price and date, before asking",
    })
    .input(dateQuestion)
    .output(bookingCheck),
  bySession: endpoint("holder")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/bookings/by-session/{sessionId}",
      operationId: "bookingBySession",
      summary: "What a checkout has paid for, for those it concerns",
    })
    .input(z.strictObject({ sessionId: z.string().max(300) }))
    .output(sessionReply),
  createContractAndCheckout: endpoint("holder")
    .route({
      ...functionsTag,
      path: "/functions/create-contract-and-checkout",
      operationId: "createContractAndCheckout",
      summary: "Draft the contract, hold the date, open the deposit's checkout",
    })
    .input(z.strictObject({ booking_id: id }))
    .output(
      z.object({
        booking_id: z.uuid(),
        checkout_url: z.string().nullable(),
        reason: z.enum(["on_request", "payments_not_set_up"]).nullable(),
        session_id: z.string().nullable(),
        held_until: z.date().nullable(),
        contract: z.object({ id: z.uuid(), signed_status: z.string() }).nullable(),
      }),
    ),
  createCheckout: endpoint("holder")
    .route({
      ...functionsTag,
      path: "/functions/create-checkout",
      operationId: "createCheckout",
      summary: "Open the checkout of a deposit or a balance",
    })
    .input(z.strictObject({ bookingId: id, isDeposit: z.boolean() }))
    .output(z.object({ url: z.string(), session_id: z.string(), held_until: z.date().nullable() })),
  letGo: endpoint("holder")
    .route({
      ...bookingsTag,
      method: "POST",
      path: "/bookings/{id}/let-go",
      operationId: "letHoldGo",
      summary: "End one's own checkout, and free its date",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), released: z.boolean() })),
  listAll: endpoint("admin")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/admin/bookings",
      operationId: "listAllBookings",
      summary: "All bookings, newest first",
    })
    .input(
      z.strictObject({
        ...page,
        status: z.preprocess(
          (value) => (value === "all" ? undefined : empty(value)),
          z.enum(bookingStatusNames).optional(),
        ),
      }),
    )
    .output(pageOf(listedBooking)),
  listOfArtist: endpoint("artist")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/artist/bookings",
      operationId: "listArtistBookings",
      summary: "The artist's own bookings, by event date",
    })
    .input(ownPage)
    .output(pageOf(artistBooking)),
  listOfPromoter: endpoint("promoter")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/promoter/bookings",
      operationId: "listPromoterBookings",
      summary: "The promoter's own bookings, by event date",
    })
    .input(ownPage)
    .output(pageOf(listedBooking)),
  releaseHold: endpoint("artist")
    .route({
      ...bookingsTag,
      method: "POST",
      path: "/artist/bookings/{id}/release-hold",
      operationId: "releaseHold",
      summary: "End the checkout that holds a date, and free it",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), released: z.boolean() })),
};
