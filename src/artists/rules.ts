import { chargeable, defaultCurrency, isCurrency } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";

export const genres = [
  "acoustic",
  "blues",
  "classical",
  "country",
  "electronic",
  "folk",
  "jazz",
  "pop",
  "rock",
  "soul",
  "other",
] as const;
export type Genre = (typeof genres)[number];

export const isGenre = (text: string): text is Genre => (genres as readonly string[]).includes(text);

/** The orders of the list: most booked, best rated, lowest price (on request last), newest, nearest. The first is the default. */
export const artistSorts = ["booked", "rating", "price", "newest", "nearest"] as const;
export type ArtistSort = (typeof artistSorts)[number];

/** The highest rate in cents. The database refuses more. */
export const highestRate = 99_999_999;

/** The counted total stops here. A screen then displays "more than 1,000". */
export const countCap = 1_000;
export const maxCountedNearby = 100;

/** Normalizes a search: composed Unicode, no outer spaces, single inner spaces. The database lower-cases it. */
export const searchTerm = (text: string): string => text.normalize("NFC").trim().replace(/\s+/gu, " ");

/** Returns a search term in lower case, without accents and invisible characters, as `without_accents` in the database does. */
export const withoutAccents = (term: string): string =>
  term
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]|\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFC");

export type Price = {
  base_rate: number;
  top_rate: number | null;
  currency: string;
  price_confirmed?: boolean;
};

/** Returns true if the rates are in the platform's currency, or if there are none. Otherwise the artist cannot be booked. */
export const isPriceConfirmed = (rates: { base_rate: number; price_currency: string }, currency: string): boolean =>
  rates.base_rate === 0 || rates.price_currency === currency;

/** Returns "$1,500 to $3,500", "From $1,500", "Price to be confirmed", or "On request" without a price that a card can pay. */
export function priceRange(price: Price): string {
  if (price.price_confirmed === false) return "Price to be confirmed";
  const currency = isCurrency(price.currency) ? price.currency : defaultCurrency;
  if (chargeable(price.base_rate, currency) === 0) return "On request";
  const from = formatMoney(price.base_rate, price.currency);
  if (price.top_rate === null || price.top_rate <= price.base_rate) return `From ${from}`;
  return `${from} to ${formatMoney(price.top_rate, price.currency)}`;
}

export const priceFrom = (price: Omit<Price, "top_rate">): string => priceRange({ ...price, top_rate: null });

export function experienceText(years: number | null): string | undefined {
  if (years === null) return undefined;
  if (years === 0) return "New this year";
  return years === 1 ? "1 year" : `${years} years`;
}

export const townOf = (location: string): string => location.split(",")[0]?.trim() ?? "";

/** The drawn pictures of each artist: the poster 600×800, six stills 800×600 without text, the mark 200×200. */
export const artFormats = ["poster", "mark", "still-1", "still-2", "still-3", "still-4", "still-5", "still-6"] as const;
export type ArtFormat = (typeof artFormats)[number];

/** Increment this when the artwork changes: browsers cache a picture for a year under its hash. */
const artworkEdition = 1;

export type PosterSubject = { slug: string; name: string; genre: string; location: string };

/** Returns the address of an artist's drawn picture. The hash of all inputs allows caching for a year. */
export const posterUrl = (artist: PosterSubject, format: ArtFormat = "poster"): string =>
  `/art/${artist.slug}/${format}.svg?v=${artHash(artist, format)}`;

/** PNG, 1200×630. */
export const shareUrl = (artist: PosterSubject): string =>
  `/art/${artist.slug}/share.png?v=${artHash(artist, "poster")}`;

export function artHash(artist: PosterSubject, format: ArtFormat): string {
  const text = `${artworkEdition}\n${format}\n${artist.slug}\n${artist.name}\n${artist.genre}\n${townOf(artist.location)}`;
  let hash = 0x811c9dc5;
  // By index: this runs for every card of every list, and an iterator over the characters takes five times as long.
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    hash = Math.imul(hash ^ point, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

export const pictureUrl = (artist: PosterSubject & { photo_url: string | null }): string =>
  artist.photo_url ?? posterUrl(artist);
