import type { EventKind } from "#artists/nights/event-kinds.rules.ts";
import { type ArtistSort, artistSorts, type Genre } from "#artists/rules.ts";
import type { SearchedDate } from "../searched-date.ts";

export type BrowseQuery = Readonly<{
  search: string;
  genre: Genre | undefined;
  free: string | undefined;
  price: string | undefined;
  sort: ArtistSort;
  cursor: string | undefined;
  night: string | undefined;
  town: string;
  kind: EventKind | undefined;
}>;

/** The price filter: the address's value, and its limits in cents of the base rate. */
export const priceBands = [
  { value: "under-500", max: 49_999 },
  { value: "500-1000", min: 50_000, max: 100_000 },
  { value: "1000-2500", min: 100_000, max: 250_000 },
  { value: "over-2500", min: 250_001 },
] as const satisfies readonly { value: string; min?: number; max?: number }[];

export const sortLabels: Record<ArtistSort, string> = {
  booked: "Most booked",
  rating: "Best rated",
  price: "Lowest price",
  newest: "Newest",
  nearest: "Nearest",
};

export const sortsOf = (query: Pick<BrowseQuery, "night" | "town">): readonly ArtistSort[] =>
  query.night && query.town ? ["nearest", ...otherSorts] : otherSorts;

const otherSorts = artistSorts.filter((sort) => sort !== "nearest");

export const searchForm = "search-form";

export const pageLength = 24;

export function filtersOf(query: BrowseQuery) {
  const band: { min?: number; max?: number } | undefined = priceBands.find(({ value }) => value === query.price);
  return {
    search: query.search || undefined,
    genre: query.genre,
    freeOn: query.free,
    minPrice: band?.min,
    maxPrice: band?.max,
    ...nightOf(query),
    // A search by name also returns artists that are not free, with the reason.
    available: query.night && !query.search ? true : undefined,
  };
}

export const nightOf = ({ night, town, kind }: BrowseQuery) => (night ? { night, town: town || undefined, kind } : {});

export const searchedDateOf = ({ night, free, town }: BrowseQuery): SearchedDate =>
  night ? { date: night, town } : { date: free };

export const addressOf = (query: BrowseQuery) => ({
  ...query,
  sort: query.sort === sortsOf(query)[0] ? undefined : query.sort,
  cursor: undefined,
});

export const hasFilters = (query: BrowseQuery): boolean =>
  Boolean(query.search || query.genre || query.free || query.price || query.night);

export const isUnfiltered = (query: BrowseQuery): boolean =>
  !hasFilters(query) && !query.cursor && query.sort === "booked";
