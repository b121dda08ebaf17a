import { z } from "zod";
import { cursorInput, limitInput } from "#platform/http/api.ts";
import { isStorable } from "#platform/text.rules.ts";
import { dayInput } from "#platform/time/day.api.ts";
import { policyNames } from "#settings/policy-names.rules.ts";
import { eventKinds } from "./nights/event-kinds.rules.ts";
import { nightStates } from "./nights/night.rules.ts";
import { pictureImage } from "./picture.api.ts";
import { artistSorts, genres, highestRate } from "./rules.ts";
import { artistSample } from "./sample.api.ts";

/** An empty query value means that the filter is not set: `?search=&genre=`. The message names the valid values. */
const orEmpty = <T extends z.ZodType>(shape: T, message: string) =>
  z.union([z.literal("").transform(() => undefined), shape], message).optional();

const searchText = z.string().max(200).refine(isStorable, "The search contains characters that no name can have.");
const placeText = z.string().max(120).refine(isStorable, "The town contains characters that no name can have.");

const amountMessage = "An amount is a whole number of cents, 8 digits at most.";
const cents = z.union(
  [
    z.int().min(0).max(highestRate),
    z
      .string()
      .regex(/^\d{1,8}$/)
      .transform(Number),
  ],
  amountMessage,
);

export const rateInput = z
  .int("A rate is a whole number of cents.")
  .min(0, "A rate cannot be negative.")
  .max(highestRate, "A rate has at most 8 digits.");

const flag = orEmpty(z.union([z.boolean(), z.enum(["1", "true"]).transform(() => true)]), "Write 1, or leave it out.");

export const searchFields = {
  search: orEmpty(searchText, "A search is a text of at most 200 characters.").describe(
    "Part of a name or a genre, in any case",
  ),
  genre: orEmpty(z.enum(genres), `A genre is one of ${genres.join(", ")}.`),
  minPrice: orEmpty(cents, amountMessage).describe("Lowest base rate in cents; omits artists with a price on request"),
  maxPrice: orEmpty(cents, amountMessage).describe("Highest base rate in cents; omits artists with a price on request"),
  freeOn: orEmpty(dayInput, "A date is written YYYY-MM-DD and must exist.").describe(
    "Only artists whose date is available, YYYY-MM-DD",
  ),
  night: orEmpty(dayInput, "A date is written YYYY-MM-DD and must exist.").describe(
    "The requested night, YYYY-MM-DD: each artist shows whether it can be booked, by the rules of the booking form",
  ),
  town: orEmpty(placeText, "A town is a text of at most 120 characters.").describe(
    "The town of the event; sets the time zone and the distance",
  ),
  kind: orEmpty(z.enum(eventKinds), `The kind is one of ${eventKinds.join(", ")}.`).describe(
    "The kind of event; some artists do not play every kind",
  ),
  available: flag.describe("With a night: only artists who can be booked and, with a town, travel there"),
  farther: flag.describe("With a night and a town: only artists who are free but do not travel that far"),
};

export const artistFilters = z.strictObject(searchFields);
export type ArtistFilters = z.infer<typeof artistFilters>;

const page = {
  limit: z.union([z.literal("").transform(() => 24), limitInput]).optional(),
  cursor: orEmpty(cursorInput.unwrap(), "This page of the list cannot be found."),
};

export const artistListInput = z.strictObject({
  ...searchFields,
  sort: orEmpty(z.enum(artistSorts), `The order is one of ${artistSorts.join(", ")}.`).describe(
    "`nearest` sorts by the distance from the town: the default with a known town; without one it equals `booked`",
  ),
  ...page,
});
export type ArtistListInput = z.infer<typeof artistListInput>;

const nightAnswer = z.object({ state: z.enum(nightStates), message: z.string() });

const artistCard = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  genre: z.enum(genres),
  location: z.string(),
  photo_url: z.string().nullable(),
  photo_image: pictureImage,
  picture_url: z.string(),
  base_rate: z.int().describe("Cents; 0 means on request"),
  top_rate: z.int().nullable(),
  currency: z.string().describe("The currency of the rates"),
  price_confirmed: z
    .boolean()
    .describe("False: the rates are in a former currency of the platform, and the artist cannot be booked"),
  rating: z.number().describe("0 to 5, one decimal; 0 without reviews"),
  review_count: z.int(),
  sample: artistSample.nullable().describe("The first of the artist's samples"),
});
export type ArtistCard = z.infer<typeof artistCard>;

export const listedArtist = artistCard.extend({ night: nightAnswer.optional() });
export type ListedArtist = z.infer<typeof listedArtist>;

export const comparedArtist = artistCard.extend({
  years_experience: z.int().nullable(),
  equipment: z.array(z.string()),
  requires_deposit: z.boolean(),
  cancellation_policy: z.enum(policyNames),
  night: nightAnswer.optional(),
  miles: z.int().nullable().describe("Distance to the requested town; null if a location is unknown"),
});
export type ComparedArtist = z.infer<typeof comparedArtist>;

export const compareInput = z.strictObject({
  artists: z
    .string()
    .max(1_300)
    .describe("Up to twelve slugs, with commas between them. The first four public ones count."),
  night: searchFields.night,
  town: searchFields.town,
  kind: searchFields.kind,
});

export const artistReview = z.object({
  id: z.uuid(),
  author_name: z.string(),
  rating: z.int(),
  body: z.string(),
  event_type: z.string(),
  event_date: z.iso.date(),
  created_at: z.date(),
  reply: z.object({ body: z.string(), created_at: z.date() }).nullable().describe("The artist's reply"),
});
export type ArtistReview = z.infer<typeof artistReview>;

const artistMedium = z.object({
  id: z.uuid(),
  kind: z.enum(["photo", "video"]),
  url: z.string(),
  alt: z.string().describe("The text alternative of the picture"),
  caption: z.string(),
  image: pictureImage,
});

const unavailableDate = z.object({ date: z.iso.date(), state: z.enum(["booked", "hold", "closed"]) });

export const artistProfile = artistCard.extend({
  bio: z.string(),
  video_url: z.string().nullable(),
  years_experience: z.int().nullable(),
  specialties: z.array(z.string()),
  equipment: z.array(z.string()),
  time_zone: z.string(),
  is_active: z.boolean(),
  created_at: z.date(),
  media: z.array(artistMedium),
  samples: z.array(artistSample),
  reviews: z.array(artistReview).describe("The newest six"),
  star_counts: z.array(z.int()).length(5).describe("The number of reviews with one star, two stars, … five"),
  taken: z.array(unavailableDate).describe("Within notice and advance, in date order"),
  similar: z.array(artistCard),
  shows: z
    .array(z.object({ date: z.iso.date(), town: z.string(), venue: z.string().nullable() }))
    .describe("The next five shows that the artist lists"),
  minimum_notice: z.int().describe("Days between a request and the earliest date"),
  maximum_booking_days: z.int().describe("Days between a request and the latest date"),
  hold_days: z.int().nullable().describe("Days until a hold of a night expires; null: the artist accepts no holds"),
  availability_note: z.string().describe("The artist's note about their availability; can be empty"),
  declined_kinds: z.array(z.enum(eventKinds)).describe("Kinds of event that the artist does not play"),
  requires_deposit: z.boolean().describe("False: no deposit is due, and the artist accepts or declines each request"),
  answers: z
    .object({ requests: z.int(), within_3_hours: z.int(), within_a_day: z.int().describe("After more than 3 hours") })
    .nullable()
    .describe(
      "The newest requests of a year that waited for the artist, at most 40. Null below five, or with a deposit",
    ),
  cancellation_policy: z.enum(policyNames).describe("The cancellation policy of new requests"),
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable() })
    .nullable()
    .describe("Null unless the artist publishes it"),
});
export type ArtistProfile = z.infer<typeof artistProfile>;
