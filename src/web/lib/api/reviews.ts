import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand, useInvalidate } from "./query.ts";

export type ModeratedReview = Awaited<ReturnType<typeof browserApi.reviews.moderated>>["items"][number];

const useModeratedReviews = (state: "reported" | "hidden") =>
  useInfiniteQuery(
    orpc.reviews.moderated.infiniteOptions({
      input: (cursor: string | undefined) => ({ state, limit: 100, cursor }),
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      select: ({ pages }) => ({ items: pages.flatMap(({ items }) => items), total: pages[0]?.total ?? 0 }),
    }),
  );

export const useReportedReviews = () => useModeratedReviews("reported");

export const useHiddenReviews = () => useModeratedReviews("hidden");

export const useBookingReviews = (id: string) => useQuery(orpc.reviews.ofBooking.queryOptions({ input: { id } }));

export const useReviewsChanged = () => useInvalidate(orpc.reviews.key()).onSuccess;

export const useHideReview = () => useCommand(orpc.reviews.hide, orpc.reviews.key());

export const useUnhideReview = () => useCommand(orpc.reviews.unhide, orpc.reviews.key());

export const useKeepReview = () => useCommand(orpc.reviews.keep, orpc.reviews.key());
