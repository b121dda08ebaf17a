/** The rules of reviews: who may write when, how long texts are, what is public. Pure; the browser uses them too. */

/** Days after the completion of a booking in which each side may review the other. */
export const reviewWindowDays = 14;

/** The least and the most characters of each text, without the spaces around it. */
export const reviewTexts = {
  body: { min: 10, max: 2_000 },
  reply: { min: 2, max: 1_000 },
  reason: { min: 10, max: 500 },
} as const;

export const reviewSides = ["promoter", "artist"] as const;
export type ReviewSide = (typeof reviewSides)[number];

/** The name that stands under a review whose author has deleted the account. */
export const formerMember = "Deleted user";

const dayMs = 86_400_000;

/** When the time for writing ends; what has been written until then is published. */
export const reviewWindowEnd = (completedAt: Date): Date => new Date(completedAt.getTime() + reviewWindowDays * dayMs);

/** A booking completed at this moment or before is past its window. */
export const completedBeforeWindow = (now: Date): Date => new Date(now.getTime() - reviewWindowDays * dayMs);

export type ReviewWindow = "not_yet" | "open" | "over";

export function reviewWindowOf(booking: { status: string; completed_at: Date | null }, now: Date): ReviewWindow {
  if (booking.status !== "completed") return "not_yet";
  return booking.completed_at !== null && now < reviewWindowEnd(booking.completed_at) ? "open" : "over";
}

/** The reviews of a booking have been published: both, or at the end of the window the only one. */
export type ReviewsPublished = { bookingId: string };
export type ReviewEvents = { "review.published": ReviewsPublished };
