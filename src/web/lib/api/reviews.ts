import { useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand, useInvalidate } from "./query.ts";

export type ModeratedReview = Awaited<ReturnType<typeof browserApi.reviews.moderated>>["items"][number];

export const useReportedReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "reported", limit: 100 } }));

export const useHiddenReviews = () =>
  useQuery(orpc.reviews.moderated.queryOptions({ input: { state: "hidden", limit: 100 } }));

export const useBookingReviews = (id: string) => useQuery(orpc.reviews.ofBooking.queryOptions({ input: { id } }));

export const useReviewsChanged = () => useInvalidate(orpc.reviews.key()).onSuccess;

export const useHideReview = () => useCommand(orpc.reviews.hide, orpc.reviews.key());

export const useUnhideReview = () => useCommand(orpc.reviews.unhide, orpc.reviews.key());

export const useKeepReview = () => useCommand(orpc.reviews.keep, orpc.reviews.key());
