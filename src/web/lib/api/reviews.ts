import { useMutation, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useInvalidate } from "./query.ts";

export type ModeratedReview = Awaited<ReturnType<typeof browserApi.reviews.moderated>>["items"][number];

export const useReportedReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "reported", limit: 100 } }));

export const useHiddenReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "hidden", limit: 100 } }));

export const useBookingReviews = (id: string) => useQuery(orpc.reviews.ofBooking.queryOptions({ input: { id } }));

export const useReviewsChanged = () => useInvalidate(orpc.reviews.key()).onSuccess;

export const useHideReview = () => useMutation(orpc.reviews.hide.mutationOptions({ onSuccess: useReviewsChanged() }));

export const useUnhideReview = () =>
  useMutation(orpc.reviews.unhide.mutationOptions({ onSuccess: useReviewsChanged() }));

export const useKeepReview = () => useMutation(orpc.reviews.keep.mutationOptions({ onSuccess: useReviewsChanged() }));
