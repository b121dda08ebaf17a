/** What this room answers. Field names are the specification's; amounts are cents beside their currency. */
import { z } from "zod";
import { cursorInput, endpoint, limitInput, pageOf } from "#platform/http/api.ts";
import { bookingRequest, empty, eventDate, eventTime, optional, readable, slug } from "./request/form.api.ts";
import { bookingStatusNames, longest } from "./rules.ts";

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
/** `refunded_cents` counts what is on its way back as well; a refund that failed does not count. */
const listedPayment = paymentOf.extend({ refunded_cents: z.int() });

/** A booking in a list, with its artist, payments and contract. */
export const listedBooking = booking.extend({
  artist: artistOf,
  payments: z.array(listedPayment),
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

/** The caller's own open checkout with this artist, to be continued or let go. */
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
export const neutralMessage = neutral;

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
  bySession: endpoint("booking-key")
    .route({
      ...bookingsTag,
      method: "GET",
      path: "/bookings/by-session/{sessionId}",
      operationId: "bookingBySession",
      summary: "What a checkout has paid for, for those it concerns",
    })
    .input(z.strictObject({ sessionId: z.string().max(300) }))
    .output(sessionReply),
  createContractAndCheckout: endpoint("booking-key")
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
  createCheckout: endpoint("booking-key")
    .route({
      ...functionsTag,
      path: "/functions/create-checkout",
      operationId: "createCheckout",
      summary: "Open the checkout of a deposit or a balance",
    })
    .input(z.strictObject({ bookingId: id, isDeposit: z.boolean() }))
    .output(z.object({ url: z.string(), session_id: z.string(), held_until: z.date().nullable() })),
  letGo: endpoint("booking-key")
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
