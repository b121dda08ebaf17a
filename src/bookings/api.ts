import { z } from "zod";
import { paymentKinds } from "#payments/rules.ts";
import { cursorInput, endpointsOf, limitInput, pageOf } from "#platform/http/api.ts";
import { countShape, emptyAsMissing, listDay, listSearch, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { acceptanceApi } from "./acceptance/acceptance.api.ts";
import { balanceApi } from "./balance/balance.api.ts";
import {
  artistBooking,
  artistOf,
  automaticPayment,
  booking,
  bookingPage,
  listedBooking,
  paymentOf,
} from "./booking.api.ts";
import { cancellationApi } from "./cancellation/cancellation.api.ts";
import { checkoutOpened } from "./checkout/checkout.api.ts";
import { contractApi } from "./contract/contract.api.ts";
import { disputesApi } from "./disputes/disputes.api.ts";
import { forceMajeureApi } from "./force-majeure/force-majeure.api.ts";
import { heldNightsApi } from "./held-nights/held-nights.api.ts";
import { listingApi } from "./listing/listing.api.ts";
import { bookingCheck, dateQuestion } from "./request/availability.api.ts";
import { bookingRequest, clientEmail } from "./request/form.api.ts";
import { bookingStatusNames } from "./rules/flow.rules.ts";
import { bookingSorts, ownBookingSorts, savedFilters } from "./rules/list.rules.ts";
import { unreconciledApi } from "./unreconciled/unreconciled.api.ts";

export type { BookingPage } from "./booking.api.ts";

const endpoint = endpointsOf("bookings");

const linkToken = z.string().max(80);

const page = {
  search: listSearch,
  limit: z.preprocess(emptyAsMissing, limitInput.optional()),
  cursor: z.preprocess(emptyAsMissing, cursorInput),
};
const show = oneOf(savedFilters).describe(
  "Upcoming shows, bookings that require an action of the caller, those with an open payment, or those that are over or canceled",
);
export const bookingFilters = {
  search: listSearch,
  status: oneOf(bookingStatusNames),
  show,
  from: listDay.describe("The first day of the request, in the platform's time zone"),
  to: listDay.describe("The last day of the request, in the platform's time zone"),
};
const ownPage = z.strictObject({
  ...page,
  show,
  sort: oneOf(ownBookingSorts).describe("A column, ascending or with - descending; by date by default"),
  month: z.preprocess(
    emptyAsMissing,
    z
      .string()
      .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, "A month is written YYYY-MM.")
      .describe("Only shows of this month, YYYY-MM, by the date of the event")
      .optional(),
  ),
});
const feeSum = z.object({
  currency: z.string(),
  bookings: z.int(),
  canceled: z.int().describe("The canceled ones of `bookings`"),
  fee_cents: z.int().describe("Without canceled bookings"),
});
/** Totals of a list with its search applied. Sums cover the displayed saved filter, in cents, one entry per currency. */
const summary = z.object({
  counts: z.object({ all: z.int(), upcoming: z.int(), needs_you: z.int(), unpaid: z.int(), past: z.int() }),
  sums: z.array(feeSum.extend({ paid_cents: z.int() })),
});
const ownPageOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ summary: summary.nullable().describe("Only on the first page") });
const id = z.uuid("This is not the id of a booking.");

/** The message of the success page without access. It is the same whether or not the session exists, to prevent enumeration. */
export const neutralMessage = "If you have just paid, your payment is being confirmed. We email you the details.";

const paidFor = z.object({
  number: z.string(),
  promoter_name: z.string().describe("The first name, or the full name of a company"),
  artist: z.object({ slug: z.string(), name: z.string(), genre: z.string(), location: z.string() }),
  event_date: z.iso.date(),
  event_time: z.string(),
  event_type: z.string(),
});
const payLinkReply = paidFor.extend({
  state: z.enum(["due", "not_due", "paid", "ended"]),
  message: z.string().nullable().describe("Why no payment is possible now; null if it is possible"),
  amount_cents: z.int(),
  fee_cents: z.int(),
  deposit_percent: z.int(),
  balance_cents: z.int(),
  balance_due: z.iso.date().nullable().describe("Null if there is no balance, or if it is due immediately"),
  pay_by: z.iso
    .date()
    .nullable()
    .describe("The due day of a balance, in the time zone of the event; null: due immediately, or a deposit"),
  held_until: z.date().nullable().describe("Until when the date of a deposit is held; null: not held, or a balance"),
  time_zone: z.string(),
  currency: z.string(),
});
const sessionReply = z.union([
  z.object({
    found: z.literal(false),
    message: z.string(),
    payer: z
      .object({
        payment: paymentOf,
        booking: paidFor,
        receipt_email: z.string().nullable().describe("The recipient of the receipt; null: the promoter"),
      })
      .nullable()
      .describe("For the browser that opened the checkout on behalf of another payer"),
  }),
  z.object({
    found: z.literal(true),
    payment: paymentOf.extend({ payment_date: z.date().nullable(), refunded_cents: z.int() }),
    booking: booking.extend({
      promoter_email: z.string().nullable(),
      promoter_phone: z.string().nullable(),
      balance_paid_at: z.date().nullable(),
    }),
    contract: bookingPage.shape.contract.unwrap().omit({ id: true, attestation: true }).nullable(),
    artist: artistOf,
    automatic_payment: automaticPayment.nullable().describe("For the promoter and admins"),
    viewer: bookingPage.shape.viewer,
  }),
]);
export type SessionReply = z.infer<typeof sessionReply>;

export const bookingsApi = {
  contract: contractApi,
  balance: balanceApi,
  forceMajeure: forceMajeureApi,
  acceptance: acceptanceApi,
  heldNights: heldNightsApi,
  listing: listingApi,
  unreconciled: unreconciledApi,
  disputes: disputesApi,
  request: endpoint("public", "POST /bookings", "requestBooking")
    .route({ successStatus: 201, summary: "Request a date" })
    .input(bookingRequest)
    .output(booking),
  // The body contains the email address of the form, because proxies log URLs.
  check: endpoint("public", "POST /bookings/check", "checkDate")
    .route({ summary: "Price and availability of a date, before a request" })
    .input(dateQuestion)
    .output(bookingCheck),
  bySession: endpoint("booking-key", "GET /bookings/by-session/{sessionId}", "bookingBySession")
    .route({ summary: "The booking that a checkout paid for, if the caller has access" })
    .input(
      z.strictObject({
        sessionId: z.string().max(300),
        state: z.literal("stored").optional().describe("Does not query the payment provider, as for a rendered page"),
      }),
    )
    .output(sessionReply),
  // The body contains the key, because proxies log URLs.
  payLink: endpoint("public", "POST /bookings/pay-link", "readPayLink")
    .route({ summary: "The payment of a payment link" })
    .input(z.strictObject({ bookingId: id, kind: z.enum(paymentKinds), key: z.string().max(64) }))
    .output(payLinkReply),
  createContractAndCheckout: endpoint(
    "booking-key",
    "POST /functions/create-contract-and-checkout",
    "createContractAndCheckout",
  )
    .route({ tags: ["functions"], summary: "Draft the contract, hold the date, open the deposit's checkout" })
    .input(z.strictObject({ booking_id: id }))
    .output(checkoutOpened),
  createCheckout: endpoint("booking-key", "POST /functions/create-checkout", "createCheckout")
    .route({ tags: ["functions"], summary: "Open the checkout of a deposit or a balance" })
    .input(z.strictObject({ bookingId: id, isDeposit: z.boolean() }))
    .output(z.object({ url: z.string(), session_id: z.string(), held_until: z.date().nullable() })),
  releaseOwnHold: endpoint("booking-key", "POST /bookings/{id}/release-own-hold", "releaseOwnHold")
    .route({ summary: "Release the caller's own checkout and its date" })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), released: z.boolean() })),
  correctEmail: endpoint("booking-key", "POST /bookings/{id}/correct-email", "correctBookingEmail")
    .route({ summary: "Correct the email address of a guest's request, until a link of an email was opened" })
    .input(z.strictObject({ id, email: clientEmail }))
    .output(z.object({ corrected: z.literal(true) })),
  confirmRequest: endpoint("signed-in", "POST /bookings/{id}/confirm-request", "confirmRequest")
    .route({ summary: "Confirm, or withdraw, a request that another browser sent in this account's name" })
    .input(z.strictObject({ id, is_own: z.boolean() }))
    .output(bookingPage),
  read: endpoint("booking-key", "GET /bookings/{id}", "readBooking")
    .route({ summary: "One booking: details, money, contract, history, and the caller's permitted actions" })
    .input(z.strictObject({ id, link: linkToken.optional() }))
    .output(bookingPage),
  calendar: endpoint("booking-key", "GET /bookings/{id}/calendar", "readBookingCalendar")
    .route({ summary: "The show as a file for calendars (iCalendar)" })
    .input(z.strictObject({ id, link: linkToken.optional() }))
    .output(z.instanceof(File)),
  open: endpoint("booking-key", "POST /bookings/{id}/open", "openBookingLink")
    .route({ summary: "Exchange the signed link of an email for this browser's booking cookie" })
    .input(z.strictObject({ id, link: linkToken }))
    .output(bookingPage),
  ...cancellationApi,
  sendLink: endpoint("public", "POST /bookings/{id}/send-link", "sendBookingLink")
    .route({
      summary:
        "Email a new signed link to the address of the request; the response is the same if there is no such booking",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ sent: z.literal(true), message: z.string() })),
  listAll: endpoint("admin", "GET /admin/bookings", "listAllBookings")
    .route({ summary: "All bookings, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...page,
        ...bookingFilters,
        page: pageNumber.describe("The page number, for any order; a cursor continues the order newest first"),
        sort: oneOf(bookingSorts).describe("A column, ascending or with - descending; newest first by default"),
      }),
    )
    .output(
      pageOf(listedBooking).extend({
        ...countShape,
        by_status: z
          .array(z.object({ status: z.string(), count: z.int() }))
          .nullable()
          .describe("The number of matching bookings in each status; null if there are too many to count"),
        sums: z
          .array(feeSum)
          .nullable()
          .describe("The fees of all matching bookings, in cents, one entry per currency; null if there are too many"),
      }),
    ),
  listOfArtist: endpoint("artist", "GET /artist/bookings", "listArtistBookings")
    .route({ summary: "The artist's own bookings, by event date" })
    .input(ownPage)
    .output(ownPageOf(artistBooking)),
  listOfPromoter: endpoint("promoter", "GET /promoter/bookings", "listPromoterBookings")
    .route({ summary: "The promoter's own bookings, by event date" })
    .input(ownPage)
    .output(ownPageOf(listedBooking)),
  releaseHold: endpoint("artist", "POST /artist/bookings/{id}/release-hold", "releaseHold")
    .route({ summary: "Release a date that a checkout holds, and end the checkout" })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), released: z.boolean() })),
};
