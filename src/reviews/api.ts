import { z } from "zod";
import { artistReview } from "#artists/api.ts";
import { cursorInput, endpointsOf, limitInput, pageOf } from "#platform/http/api.ts";
import { countShape } from "#platform/http/list.api.ts";
import { prose } from "#platform/security/text.api.ts";
import { hasReadableText } from "#platform/text.rules.ts";
import { reviewSides, reviewTexts } from "./rules.ts";

const endpoint = endpointsOf("reviews");

const id = z.uuid("This is not the id of a review.");
const bookingId = z.uuid("This is not the id of a booking.");

const text = (bounds: { min: number; max: number }, what: string) =>
  prose(bounds.max, `${what} has at most ${bounds.max} characters.`)
    .min(bounds.min, `${what} has at least ${bounds.min} characters.`)
    .refine(hasReadableText, `${what} must contain something to read.`);
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
  published: z.boolean().describe("False: visible only to its author"),
  hidden: z.object({ at: z.date(), reason: z.string() }).nullable().describe("For its author and admins"),
  reply: reply.nullable(),
  reported: z.enum(["open", "kept"]).nullable().describe("The caller's report of it, and whether an admin decided"),
  can: z.object({ reply: z.boolean(), report: z.boolean(), hide: z.boolean(), unhide: z.boolean() }),
});
export type BookingReview = z.infer<typeof bookingReview>;

/** The reviews of a booking for the caller. Until both are written or the window is over, a party sees its own, admins see none. */
export const bookingReviews = z.object({
  side: z.enum(reviewSides).nullable().describe("The caller's side as a reviewer; null if the caller is not a party"),
  shown_as: z.string().nullable().describe("The name that is shown with the caller's review"),
  can_write: z.boolean(),
  open_until: z
    .date()
    .nullable()
    .describe("The end of the review period; null before the completion or a decided no-show"),
  other_is_in: z.boolean().describe("The other side has submitted a review; its text is shown after publication"),
  items: z.array(bookingReview),
});
export type BookingReviews = z.infer<typeof bookingReviews>;

const moderatedReview = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  booking_number: z.string(),
  written_by: z.enum(reviewSides),
  author_name: z.string(),
  artist_id: z.uuid(),
  artist_name: z.string(),
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
    .route({ summary: "The reviews of one booking that the caller may see" })
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
    .route({ summary: "Post the artist's single public reply to a published review", successStatus: 201 })
    .input(z.strictObject({ id, body: text(reviewTexts.reply, "An answer") }))
    .output(bookingReviews),
  report: endpoint("signed-in", "POST /reviews/{id}/report", "reportReview")
    .route({ summary: "Report a review of the caller to the admins, once, with a reason", successStatus: 201 })
    .input(z.strictObject({ id, reason }))
    .output(bookingReviews),
  moderated: endpoint("admin", "GET /admin/reviews", "listModeratedReviews")
    .route({
      summary: "Reported reviews without a decision, oldest report first, or hidden reviews, last hidden first",
    })
    .input(
      z.strictObject({
        state: z.enum(["reported", "hidden"]),
        limit: emptyAs(limitInput),
        cursor: emptyAs(cursorInput),
      }),
    )
    .output(pageOf(moderatedReview).extend(countShape)),
  hide: endpoint("admin", "POST /admin/reviews/{id}/hide", "hideReview")
    .route({ summary: "Hide a published review, with a reason that is shown to its author; recorded in the log" })
    .input(z.strictObject({ id, reason }))
    .output(moderatedReview),
  unhide: endpoint("admin", "POST /admin/reviews/{id}/unhide", "unhideReview")
    .route({ summary: "Show a hidden review again; recorded in the log" })
    .input(z.strictObject({ id }))
    .output(moderatedReview),
  keep: endpoint("admin", "POST /admin/reviews/{id}/keep", "keepReview")
    .route({ summary: "Decide that a reported review stays published; recorded in the log" })
    .input(z.strictObject({ id }))
    .output(moderatedReview),
};
