/** The reviews of a booking, and what admins do with reported ones. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

/** A reported or hidden review; dates are ISO strings. */
export type ModeratedReview = Awaited<ReturnType<typeof browserApi.reviews.moderated>>["items"][number];

/** Reviews whose report waits for a decision, oldest report first. For admins. */
export const useReportedReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "reported", limit: 100 } }));

/** Hidden reviews, last hidden first. For admins. */
export const useHiddenReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "hidden", limit: 100 } }));

/** The reviews of one booking; read anew on every notification about reviews. */
export const useBookingReviews = (id: string) => useQuery(orpc.reviews.ofBooking.queryOptions({ input: { id } }));

/** Makes everything stale that shows reviews. */
export function useReviewsChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: orpc.reviews.key() });
}

/** Takes a review from the public, with a reason that its author reads. */
export const useHideReview = () => useMutation(orpc.reviews.hide.mutationOptions({ onSuccess: useReviewsChanged() }));

/** Shows a hidden review again. */
export const useUnhideReview = () =>
  useMutation(orpc.reviews.unhide.mutationOptions({ onSuccess: useReviewsChanged() }));

/** Decides that a reported review stays. */
export const useKeepReview = () => useMutation(orpc.reviews.keep.mutationOptions({ onSuccess: useReviewsChanged() }));
