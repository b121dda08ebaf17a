import { sql } from "kysely";
import { platformDefaults } from "#settings/defaults.rules.ts";
import type { ArtistCard } from "./artist.api.ts";
import { addressOfFile, type PictureImage } from "./media.rules.ts";
import { type Genre, pictureUrl } from "./rules.ts";
import type { ArtistSample } from "./sample.api.ts";

export type CardRow = {
  id: string;
  slug: string;
  name: string;
  genre: string;
  location: string;
  photo_url: string | null;
  photo_image: PictureImage | null;
  base_rate: number;
  top_rate: number | null;
  rating_x10: number;
  review_count: number;
  currency: string;
  price_confirmed: boolean;
  sample: StoredSample | null;
};

export type StoredSample = Omit<ArtistSample, "url"> & { name: string };

const currency = sql`coalesce((select value->>'currency' from settings where scope = 'platform' limit 1), ${sql.lit(platformDefaults.currency)})`;

/** `isPriceConfirmed` (rules.ts) as a condition on `artists a`. */
export const priceConfirmed = sql<boolean>`(a.base_rate = 0 or a.price_currency = ${currency})`;

export const sampleColumns = sql`
  select s.id, s.name, s.title, s.seconds, s.bars from artist_samples s where s.artist_id = a.id order by s.position, s.id`;

export const toArtistSample = ({ name, ...sample }: StoredSample): ArtistSample => ({
  ...sample,
  url: addressOfFile(name),
});

export const cardColumns = sql`a.id, a.slug, a.name, a.genre, a.location, a.photo_url, a.photo_image, a.base_rate, a.top_rate, a.rating_x10, a.review_count, a.price_currency as currency, ${priceConfirmed} as price_confirmed,
  (select to_json(first_of_list) from (${sampleColumns} limit 1) first_of_list) as sample`;

export const toArtistCard = ({ rating_x10, ...card }: CardRow): ArtistCard => ({
  ...card,
  genre: card.genre as Genre,
  picture_url: pictureUrl(card),
  rating: rating_x10 / 10,
  sample: card.sample && toArtistSample(card.sample),
});
