import { z } from "zod";
import { dayInput } from "#platform/time/day.api.ts";
import { cursorInput, limitInput } from "#platform/http/api.ts";
import { pictureImage } from "./picture.api.ts";
import { eveningKinds, nightStates } from "./night.rules.ts";
import { artistSorts, genres, highestRate } from "./rules.ts";
import { artistSample } from "./sample.api.ts";
import { policyNames } from "#settings/policy-names.rules.ts";

/** An empty query value means that the filter is not set: `?search=&genre=`. The message names the valid values. */
const orEmpty = <T extends z.ZodType>(shape: T, message: string) =>
  z.union([z.literal("").transform(() => undefined), shape], message).optional();

const searchText = z
  .string()
  .max(200)
  .refine(
    (text) => !text.includes("\0") && text.isWellFormed(),
    "The search contains characters that no name can have.",
  );

const placeText = z
  .string()
  .max(120)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "The town contains characters that no name can have.");

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

const flag = orEmpty(z.union([z.boolean(), z.enum(["1", "true"]).transform(() => true)]), "Write 1, or leave it out.");

export const searchFields = {
  search: orEmpty(searchText, "A search is a text of at most 200 characters.").describe(
    "Part of a name or a genre, in any case",
  ),
  genre: orEmpty(z.enum(genres), `A genre is one of ${genres.join(", ")}.`),
  minPrice: orEmpty(cents, amountMessage).describe("Lowest base rate in cents; artists on request are left out"),
  maxPrice: orEmpty(cents, amountMessage).describe("Highest base rate in cents; artists on request are left out"),
  freeOn: orEmpty(dayInput, "A date is written YYYY-MM-DD and must exist.").describe(
    "Only artists whose date is not taken, YYYY-MM-DD",
  ),
  night: orEmpty(dayInput, "A date is written YYYY-MM-DD and must exist.").describe(
    "The night that is asked for, YYYY-MM-DD: each artist answers whether it can be booked, by the rules of the booking form",
  ),
  town: orEmpty(placeText, "A town is a text of at most 120 characters.").describe(
    "Where: its zone, and how far it is",
  ),
  kind: orEmpty(z.enum(eveningKinds), `The kind is one of ${eveningKinds.join(", ")}.`).describe(
    "The kind of the evening, for artists who do not play every kind",
  ),
  available: flag.describe("With a night: only those who can be booked then and, with a town, come to it"),
  farther: flag.describe("With a night and a town: only those who are free but do not travel so far"),
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
    "`nearest` by the distance from the town of the night: the default with a town that is known, and without one as `booked`",
  ),
  ...page,
});
export type ArtistListInput = z.infer<typeof artistListInput>;

const nightAnswer = z.object({ state: z.enum(nightStates), message: z.string() });

/** `picture_url` is the photo, or the drawn poster without one. */
export const artistCard = z.object({
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
  currency: z.string().describe("Of the rates"),
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
  miles: z.int().nullable().describe("To the town of the night; null where one is unknown"),
});
export type ComparedArtist = z.infer<typeof comparedArtist>;

export const compareInput = z.strictObject({
  artists: z.string().max(450).describe("Up to four slugs, with commas between them"),
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
  reply: z.object({ body: z.string(), created_at: z.date() }).nullable().describe("The artist's answer"),
});
export type ArtistReview = z.infer<typeof artistReview>;

export const artistMedium = z.object({
  id: z.uuid(),
  kind: z.enum(["photo", "video"]),
  url: z.string(),
  alt: z.string().describe("What the picture shows, for those who do not see it"),
  caption: z.string(),
  image: pictureImage,
});

export const takenDate = z.object({ date: z.iso.date(), state: z.enum(["booked", "hold", "closed"]) });
export type TakenDate = z.infer<typeof takenDate>;

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
  star_counts: z.array(z.int()).length(5).describe("How many reviews give one star, two stars, … five"),
  taken: z.array(takenDate).describe("Within notice and advance, in date order"),
  similar: z.array(artistCard),
  minimum_notice: z.int().describe("Days between a request and the earliest date"),
  maximum_booking_days: z.int().describe("Days between a request and the latest date"),
  hold_days: z.int().nullable().describe("How many days a hold of a night runs; null: the artist takes no holds"),
  availability_note: z.string().describe("What the artist says of their dates; empty for nothing"),
  declined_kinds: z
    .array(z.enum(["corporate", "private", "wedding"]))
    .describe("Kinds of event that the artist does not play"),
  requires_deposit: z
    .boolean()
    .describe("Off: nothing is paid at first, and the artist accepts or declines each request"),
  cancellation_policy: z.enum(policyNames).describe("The policy of new requests"),
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable() })
    .nullable()
    .describe("Null unless the artist shows it"),
});
export type ArtistProfile = z.infer<typeof artistProfile>;
