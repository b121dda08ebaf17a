/** The filters of the artist list as they are in an address. Invalid values are left out, so that every address works. */
import { type ArtistSort, artistSorts, type Genre, isGenre } from "#artists/rules.ts";
import { readDay } from "../../lib/format/dates.ts";

export type BrowseQuery = Readonly<{
  search: string;
  genre: Genre | undefined;
  /** A calendar date on which the artist has to be free. */
  free: string | undefined;
  /** One of `priceBands`. */
  price: string | undefined;
  sort: ArtistSort;
  cursor: string | undefined;
}>;

/** The price filter: the word of the address, and its limits in cents of the base rate. */
export const priceBands = [
  { value: "under-500", max: 49_999 },
  { value: "500-1000", min: 50_000, max: 100_000 },
  { value: "1000-2500", min: 100_000, max: 250_000 },
  { value: "over-2500", min: 250_001 },
] as const satisfies readonly { value: string; min?: number; max?: number }[];

/** The words of the orders, most booked first as the list itself. */
export const sortLabels: Record<ArtistSort, string> = {
  booked: "Most booked",
  rating: "Best rated",
  price: "Lowest price",
  newest: "Newest",
};

/** How many artists come at a time. */
export const pageLength = 24;

const longestSearch = 200;

/** Reads an address. */
export function readBrowse(params: URLSearchParams): BrowseQuery {
  const [genre, sort, free, price] = [
    params.get("genre") ?? "",
    params.get("sort"),
    params.get("free"),
    params.get("price"),
  ];
  return {
    search: cleanSearch(params.get("search") ?? ""),
    genre: isGenre(genre) ? genre : undefined,
    free: readDay(free) ? (free ?? undefined) : undefined,
    price: priceBands.find((band) => band.value === price)?.value,
    sort: artistSorts.find((one) => one === sort) ?? "booked",
    cursor: params.get("cursor") || undefined,
  };
}

const cleanSearch = (text: string) => text.replaceAll("\0", "").toWellFormed().slice(0, longestSearch);

/** What the API is asked for a query. */
export function filtersOf(query: BrowseQuery) {
  const band: { min?: number; max?: number } | undefined = priceBands.find(({ value }) => value === query.price);
  return {
    search: query.search || undefined,
    genre: query.genre,
    freeOn: query.free,
    minPrice: band?.min,
    maxPrice: band?.max,
  };
}

/** The query as the parts of an address; the default order is left out. */
export const addressOf = (query: BrowseQuery) => ({
  ...query,
  sort: query.sort === "booked" ? undefined : query.sort,
  cursor: undefined,
});

/** Says whether anything narrows the list. */
export const isNarrowed = (query: BrowseQuery): boolean =>
  Boolean(query.search || query.genre || query.free || query.price);

/** Says whether the query is the list from its beginning, in its own order. */
export const isWhole = (query: BrowseQuery): boolean => !isNarrowed(query) && !query.cursor && query.sort === "booked";
