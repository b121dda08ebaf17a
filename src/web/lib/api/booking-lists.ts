import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { OwnBookingSort, SavedFilter } from "#bookings/rules/list.rules.ts";
import { rowsPerPage } from "#platform/list.rules.ts";
import type { browserApi } from "./browser-api.ts";
import { orpc, useCommand } from "./query.ts";

type Lists = typeof browserApi.bookings;
export type ArtistBooking = Awaited<ReturnType<Lists["listOfArtist"]>>["items"][number];
export type PromoterBooking = Awaited<ReturnType<Lists["listOfPromoter"]>>["items"][number];

/** Bookings per page. 100 is the API's maximum and fits a year of upcoming shows. */
const maxPageSize = 100;
const pageSize = (show: SavedFilter | undefined) => (show === "upcoming" || show === "needs_you" ? maxPageSize : 24);

export type OwnBookingsInput = Readonly<{
  search: string;
  show: SavedFilter | undefined;
  sort: OwnBookingSort | undefined;
}>;

/** The number of bookings per saved filter, and the totals of the current one. Null on later pages. */
export type BookingsSummary = Awaited<ReturnType<Lists["listOfArtist"]>>["summary"];

const wholeOf = <T>(data: { pages: { items: T[]; summary: BookingsSummary }[] } | undefined) => ({
  bookings: data?.pages.flatMap((page) => page.items),
  summary: data?.pages[0]?.summary ?? undefined,
});
const pagesOf = (input: OwnBookingsInput) => ({
  input: (cursor: string | undefined) => ({ ...input, limit: pageSize(input.show), cursor }),
  initialPageParam: undefined,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
  placeholderData: keepPreviousData,
});

export const useAdminBookings = (input: Omit<NonNullable<Parameters<Lists["listAll"]>[0]>, "limit" | "cursor">) =>
  useQuery(
    orpc.bookings.listAll.queryOptions({ input: { ...input, limit: rowsPerPage }, placeholderData: keepPreviousData }),
  );

export function useArtistBookings(input: OwnBookingsInput) {
  const query = useInfiniteQuery(orpc.bookings.listOfArtist.infiniteOptions(pagesOf(input)));
  return { query, ...wholeOf(query.data) };
}

type PageOf<T> = (input: { month: string; limit: number; cursor: string | undefined }) => Promise<{
  items: T[];
  nextCursor: string | null;
}>;

async function loadMonth<T>(month: string, load: PageOf<T>): Promise<{ items: T[] }> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await load({ month, limit: maxPageSize, cursor });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { items };
}

export const useArtistMonth = (month: string) =>
  useQuery({
    queryKey: orpc.bookings.listOfArtist.queryKey({ input: { month } }),
    queryFn: () => loadMonth(month, orpc.bookings.listOfArtist.call),
    placeholderData: keepPreviousData,
  });

export const usePromoterMonth = (month: string) =>
  useQuery({
    queryKey: orpc.bookings.listOfPromoter.queryKey({ input: { month } }),
    queryFn: () => loadMonth(month, orpc.bookings.listOfPromoter.call),
    placeholderData: keepPreviousData,
  });

export function usePromoterBookings(input: OwnBookingsInput) {
  const query = useInfiniteQuery(orpc.bookings.listOfPromoter.infiniteOptions(pagesOf(input)));
  return { query, ...wholeOf(query.data) };
}

export const useReleaseHold = () => useCommand(orpc.bookings.releaseHold, orpc.bookings.key(), orpc.overviews.key());
