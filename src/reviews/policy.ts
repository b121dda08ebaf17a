import type { Relation } from "#bookings/rules.ts";
import type { ReviewSide } from "./rules.ts";

export type ReviewState = Readonly<{
  written_by: ReviewSide;
  is_published: boolean;
  is_hidden: boolean;
  has_reply: boolean;
  is_reported: boolean;
}>;

/** Returns the side that the user writes as. A user on both sides of a booking writes as neither, because they would review themselves. */
export function sideOf({ promoter, artist }: Relation): ReviewSide | null {
  if (promoter === artist) return null;
  return promoter ? "promoter" : "artist";
}

export function maySeeReview(relation: Relation, review: ReviewState): boolean {
  if (sideOf(relation) === review.written_by) return true;
  return review.is_published && (relation.admin || !review.is_hidden);
}

export const mayReply = (relation: Relation, review: ReviewState): boolean =>
  sideOf(relation) === "artist" &&
  review.written_by === "promoter" &&
  review.is_published &&
  !review.is_hidden &&
  !review.has_reply;

export function isReviewed(relation: Relation, { written_by: author }: Pick<ReviewState, "written_by">): boolean {
  const side = sideOf(relation);
  return side !== null && side !== author;
}

/** Allows the reviewed party to report once. Visitors cannot report, but can use the contact form. */
export const mayReport = (relation: Relation, review: ReviewState): boolean =>
  isReviewed(relation, review) && review.is_published && !review.is_hidden && !review.is_reported;

export const mayHide = (relation: Relation, review: ReviewState): boolean =>
  relation.admin && review.is_published && !review.is_hidden;

export const mayUnhide = (relation: Relation, review: ReviewState): boolean => relation.admin && review.is_hidden;
