/** The rules of reviews: the window, the lengths of texts. Pure: the browser uses them too. */
import { dayMs } from "#platform/time/durations.rules.ts";

/** Days after the completion of a booking in which each side may review the other. */
export const reviewWindowDays = 14;

/** The minimum and maximum of characters of each trimmed text. */
export const reviewTexts = {
  body: { min: 10, max: 2_000 },
  reply: { min: 2, max: 1_000 },
  reason: { min: 10, max: 500 },
} as const;

export const reviewSides = ["promoter", "artist"] as const;
export type ReviewSide = (typeof reviewSides)[number];

export const formerMember = "Deleted user";

/** Returns the end of the window, when written reviews are published. */
export const reviewWindowEnd = (completedAt: Date): Date => new Date(completedAt.getTime() + reviewWindowDays * dayMs);

/** Returns the time of completion at or before which a booking is past its window. */
export const completedBeforeWindow = (now: Date): Date => new Date(now.getTime() - reviewWindowDays * dayMs);

export type ReviewWindow = "not_yet" | "open" | "over";

export function reviewWindowOf(booking: { status: string; completed_at: Date | null }, now: Date): ReviewWindow {
  if (booking.status !== "completed") return "not_yet";
  return booking.completed_at !== null && now < reviewWindowEnd(booking.completed_at) ? "open" : "over";
}

export type ReviewsPublished = { bookingId: string };
/** Published when a review is reported, an admin decides about it, or the artist replies. */
export type ReviewChanged = {
  reviewId: string;
  bookingId: string;
  author: ReviewSide;
  what: "reported" | "kept" | "hidden" | "replied";
  /** Why it was reported or hidden. */
  reason: string | null;
  /** The decision answers a report. */
  wasReported: boolean;
  at: string;
};
export type ReviewEvents = { "review.published": ReviewsPublished; "review.changed": ReviewChanged };
