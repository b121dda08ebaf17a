import { dayMs } from "#platform/time/durations.rules.ts";

/** Days after the completion of a booking in which each side may review the other. */
export const reviewWindowDays = 14;

/** In characters of each trimmed text. */
export const reviewTexts = {
  body: { min: 10, max: 2_000 },
  reply: { min: 2, max: 1_000 },
  reason: { min: 10, max: 500 },
} as const;

export const reviewSides = ["promoter", "artist"] as const;
export type ReviewSide = (typeof reviewSides)[number];

export const formerMember = "Deleted user";

export const reviewWindowEnd = (since: Date): Date => new Date(since.getTime() + reviewWindowDays * dayMs);

export const completedBeforeWindow = (now: Date): Date => new Date(now.getTime() - reviewWindowDays * dayMs);

export type ReviewWindow = "not_yet" | "open" | "over";

type Reviewable = Readonly<{
  status: string;
  completed_at: Date | null;
  cancel_code: string | null;
  canceled_at: Date | null;
}>;

/** Returns true if the booking ended because the artist did not appear, as an admin decided. Only the promoter then writes a review. */
export const endedAsNoShow = ({ status, cancel_code: code }: Pick<Reviewable, "status" | "cancel_code">): boolean =>
  status === "canceled" && code === "no_show";

/** Returns when the window of a side began: at the completion, for the promoter also at a decided no-show. Null before that. */
export function reviewableSince(booking: Reviewable, side: ReviewSide | null): Date | null {
  if (booking.status === "completed") return booking.completed_at;
  return endedAsNoShow(booking) && side !== "artist" ? booking.canceled_at : null;
}

export function reviewWindowOf(booking: Reviewable, now: Date, side: ReviewSide | null = null): ReviewWindow {
  const since = reviewableSince(booking, side);
  if (since === null) return booking.status === "completed" ? "over" : "not_yet";
  return now < reviewWindowEnd(since) ? "open" : "over";
}

export type ReviewsPublished = { bookingId: string };
/** Published when a review is reported, an admin decides about it, or the artist replies. `shown`: again, after it was hidden. */
export type ReviewChanged = {
  reviewId: string;
  bookingId: string;
  author: ReviewSide;
  what: "reported" | "kept" | "hidden" | "shown" | "replied";
  reason: string | null;
  wasReported: boolean;
  at: string;
};
export type ReviewEvents = { "review.published": ReviewsPublished; "review.changed": ReviewChanged };
