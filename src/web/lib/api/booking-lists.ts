/** The lists of bookings behind the login, and the command that frees a held date. A list is read again whenever its window comes back to the front. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { rowsPerPage } from "#platform/http/list.rules.ts";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";

type Lists = typeof browserApi.bookings;
/** A booking as each of the three sees it; dates are ISO strings. */
export type AdminBooking = Awaited<ReturnType<Lists["listAll"]>>["items"][number];
export type ArtistBooking = Awaited<ReturnType<Lists["listOfArtist"]>>["items"][number];
export type PromoterBooking = Awaited<ReturnType<Lists["listOfPromoter"]>>["items"][number];

/** How many bookings one page holds: a year of shows that are ahead, which is the most a page may have, and a screenful of past ones. */
const pageSize = { upcoming: 100, past: 24 } as const;

/** The user's own bookings, ahead or over; `asked` is false until they are shown. */
export type OwnBookingsInput = Readonly<{ search: string; when: "upcoming" | "past"; asked: boolean }>;

type Pages<T> = { pages: { items: T[] }[] };
const itemsOf = <T>(data: Pages<T> | undefined): T[] | undefined => data?.pages.flatMap((page) => page.items);
const paging = {
  initialPageParam: undefined,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
  placeholderData: keepPreviousData,
};

/** Every booking in numbered pages. */
export const useAdminBookings = (input: Omit<NonNullable<Parameters<Lists["listAll"]>[0]>, "limit" | "cursor">) =>
  useQuery(
    orpc.bookings.listAll.queryOptions({ input: { ...input, limit: rowsPerPage }, placeholderData: keepPreviousData }),
  );

/** The signed-in artist's bookings, by event date. */
export function useArtistBookings({ search, when, asked }: OwnBookingsInput) {
  const input = (cursor: string | undefined) => ({ search, when, limit: pageSize[when], cursor });
  const query = useInfiniteQuery(orpc.bookings.listOfArtist.infiniteOptions({ input, ...paging, enabled: asked }));
  return { query, bookings: itemsOf(query.data) };
}

/** The signed-in artist's bookings of one month (YYYY-MM), as many as a page may have. */
export const useArtistMonth = (month: string) =>
  useQuery(
    orpc.bookings.listOfArtist.queryOptions({
      input: { month, limit: pageSize.upcoming },
      placeholderData: keepPreviousData,
    }),
  );

/** The signed-in promoter's bookings, by event date. */
export function usePromoterBookings({ search, when, asked }: OwnBookingsInput) {
  const input = (cursor: string | undefined) => ({ search, when, limit: pageSize[when], cursor });
  const query = useInfiniteQuery(orpc.bookings.listOfPromoter.infiniteOptions({ input, ...paging, enabled: asked }));
  return { query, bookings: itemsOf(query.data) };
}

/** Ends the checkout that holds a date; the lists and the overview are stale then. */
export function useReleaseHold() {
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: orpc.bookings.key() }),
      queries.invalidateQueries({ queryKey: orpc.overviews.key() }),
    ]);
  return useMutation(orpc.bookings.releaseHold.mutationOptions({ onSuccess }));
}
