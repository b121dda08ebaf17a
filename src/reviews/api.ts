import { hasReadableText, isStorable } from "#platform/text.rules.ts";
import { z } from "zod";
import { artistReview } from "#artists/api.ts";
import { cursorInput, endpointsOf, limitInput, pageOf } from "#platform/http/api.ts";
import { reviewSides, reviewTexts } from "./rules.ts";

const endpoint = endpointsOf("reviews");

const id = z.uuid("This is not the id of a review.");
const bookingId = z.uuid("This is not the id of a booking.");

const text = (bounds: { min: number; max: number }, what: string) =>
  z
    .string()
    .trim()
    .min(bounds.min, `${what} has at least ${bounds.min} characters.`)
    .max(bounds.max, `${what} has at most ${bounds.max} characters.`)
    .refine((written) => isStorable(written) && hasReadableText(written), `${what} must contain something to read.`);
const reason = text(reviewTexts.reason, "A reason");

const emptyAs = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), shape.optional());

const reply = z.object({ body: z.string(), created_at: z.date() });

const bookingReview = z.object({
  id: z.uuid(),
  written_by: z.enum(reviewSides),
  author_name: z.string(),
  rating: z.int(),
  body: z.string(),
  created_at: z.date(),
  published: z.boolean().describe("False while only its author sees it"),
  hidden: z.object({ at: z.date(), reason: z.string() }).nullable().describe("For its author and admins"),
  reply: reply.nullable(),
  can: z.object({ reply: z.boolean(), report: z.boolean(), hide: z.boolean(), unhide: z.boolean() }),
});
export type BookingReview = z.infer<typeof bookingReview>;

/** The reviews of a booking for the caller. Until both are written or the window is over, a party sees its own, admins see none. */
export const bookingReviews = z.object({
  side: z.enum(reviewSides).nullable().describe("As whom the reader writes; null for those who do not"),
  shown_as: z.string().nullable().describe("The name that will stand under the reader's review"),
  can_write: z.boolean(),
  open_until: z.date().nullable().describe("The end of the window; null before the completion"),
  other_is_in: z.boolean().describe("The other side has written; what, is shown with the publication"),
  items: z.array(bookingReview),
});
export type BookingReviews = z.infer<typeof bookingReviews>;

const moderatedReview = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  booking_number: z.string(),
  written_by: z.enum(reviewSides),
  author_name: z.string(),
  artist_name: z.string(),
  artist_slug: z.string(),
  promoter_name: z.string(),
  rating: z.int(),
  body: z.string(),
  created_at: z.date(),
  report: z
    .object({ reason: z.string(), created_at: z.date(), decision: z.enum(["hidden", "kept"]).nullable() })
    .nullable(),
  hidden: z.object({ at: z.date(), reason: z.string() }).nullable(),
});
export type ModeratedReview = z.infer<typeof moderatedReview>;

export const reviewsApi = {
  ofArtist: endpoint("public", "GET /artists/{slug}/reviews", "listArtistReviews", { cacheable: true })
    .route({ tags: ["artists"], summary: "The published reviews of one artist, newest first" })
    .input(z.strictObject({ slug: z.string().max(200), limit: emptyAs(limitInput), cursor: emptyAs(cursorInput) }))
    .output(pageOf(artistReview)),
  ofBooking: endpoint("booking-key", "GET /bookings/{id}/reviews", "readBookingReviews")
    .route({ summary: "The reviews of one booking, as its reader may see them" })
    .input(z.strictObject({ id: bookingId }))
    .output(bookingReviews),
  write: endpoint("booking-key", "POST /bookings/{id}/reviews", "writeReview")
    .route({ summary: "Review the other side, once, within 14 days of the completion", successStatus: 201 })
    .input(
      z.strictObject({
        id: bookingId,
        rating: z.int("A rating is one to five stars.").min(1).max(5),
        body: text(reviewTexts.body, "A review"),
      }),
    )
    .output(bookingReviews),
  reply: endpoint("artist", "POST /artist/reviews/{id}/reply", "replyToReview")
    .route({ summary: "The artist's one public answer to a published review", successStatus: 201 })
    .input(z.strictObject({ id, body: text(reviewTexts.reply, "An answer") }))
    .output(bookingReviews),
  report: endpoint("signed-in", "POST /reviews/{id}/report", "reportReview")
    .route({ summary: "Report a review of oneself to the admins, once, with a reason", successStatus: 201 })
    .input(z.strictObject({ id, reason }))
    .output(bookingReviews),
  moderated: endpoint("admin", "GET /admin/reviews", "listModeratedReviews")
    .route({
      summary: "Reviews whose report waits for a decision, oldest report first, or hidden ones, last hidden first",
    })
    .input(
      z.strictObject({
        state: z.enum(["reported", "hidden"]),
        limit: emptyAs(limitInput),
        cursor: emptyAs(cursorInput),
      }),
    )
    .output(pageOf(moderatedReview)),
  hide: endpoint("admin", "POST /admin/reviews/{id}/hide", "hideReview")
    .route({
      summary: "Take a published review from the public, with a reason that its author reads; recorded in the log",
    })
    .input(z.strictObject({ id, reason }))
    .output(moderatedReview),
  unhide: endpoint("admin", "POST /admin/reviews/{id}/unhide", "unhideReview")
    .route({ summary: "Show a hidden review again; recorded in the log" })
    .input(z.strictObject({ id }))
    .output(moderatedReview),
  keep: endpoint("admin", "POST /admin/reviews/{id}/keep", "keepReview")
    .route({ summary: "Decide that a reported review stays; recorded in the log" })
    .input(z.strictObject({ id }))
    .output(moderatedReview),
};
