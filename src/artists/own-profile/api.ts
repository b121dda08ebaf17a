import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { rateInput } from "../artist.api.ts";
import { pictureImage } from "../picture.api.ts";
import { genres } from "../rules.ts";
import { maxBioLength, maxLineLength, maxNameLength, maxLines, maxYears, phonePattern } from "./rules.ts";

const endpoint = endpointsOf("artists");

const place = z.object({ id: z.string(), name: z.string() });
export type PlaceChoice = z.infer<typeof place>;

const eventTypes = z.strictObject({ corporate: z.boolean(), private: z.boolean(), wedding: z.boolean() });

const ownProfile = z.object({
  shares_name: z.boolean().describe("True: another published act has this name; an admin may review it"),
  slug: z.string().nullable().describe("Null until the profile is saved for the first time"),
  is_active: z.boolean(),
  is_public: z.boolean().describe("False: the artist has hidden the page in the settings"),
  name: z.string(),
  genre: z.enum(genres),
  bio: z.string(),
  base_rate: z.int(),
  top_rate: z.int().nullable(),
  photo_url: z.string().nullable(),
  photo_image: pictureImage,
  poster_url: z.string().nullable(),
  video_url: z.string().nullable(),
  years_experience: z.int().nullable(),
  place: place.nullable().describe("Null if the location is not in the gazetteer"),
  location: z.string(),
  time_zone: z.string().nullable().describe("The zone of the artist's calendar; null until the profile is saved"),
  specialties: z.array(z.string()),
  equipment: z.array(z.string()),
  event_types: eventTypes,
  email: z.string().describe("The account's email address; changed on the account page"),
  phone: z.string().nullable(),
  currency: z.string().describe("The platform's currency; new rates are saved in it"),
  price_currency: z
    .string()
    .describe("The currency of the stored rates; differs from `currency` until the artist confirms the rates"),
  commission_bps: z.int().describe("The platform's share of a fee, in hundredths of a percent"),
});
export type OwnProfile = z.infer<typeof ownProfile>;

const listOfLines = z
  .array(oneLine(maxLineLength, `At most ${maxLineLength} characters each.`).min(1))
  .max(maxLines, `At most ${maxLines} entries.`);

/** Only named fields change, except the six required ones, which are always sent. */
const profileInput = z.strictObject({
  name: z.string().max(maxNameLength, `A name has at most ${maxNameLength} characters.`),
  genre: z.enum(genres, `A genre is one of ${genres.join(", ")}.`),
  bio: prose(maxBioLength, `At most ${maxBioLength.toLocaleString("en")} characters.`),
  base_rate: rateInput,
  currency: z
    .string()
    .optional()
    .describe("The currency that the form showed beside the rates; 409 if the platform's currency has changed since"),
  top_rate: rateInput.nullable().optional(),
  photo_url: z.string().max(500, "At most 500 characters.").nullable(),
  video_url: z.string().max(500, "At most 500 characters.").nullable(),
  years_experience: z
    .int("Experience is a whole number of years.")
    .min(0, "Experience cannot be negative.")
    .max(maxYears, `At most ${maxYears} years.`)
    .nullable()
    .optional(),
  place_id: z.string().max(200).nullable().optional().describe("The id of a place from /api/places; null for none"),
  specialties: listOfLines.optional(),
  equipment: listOfLines.optional(),
  event_types: eventTypes.optional(),
  phone: z
    .string()
    .trim()
    .regex(phonePattern, "A phone number has 6 to 40 digits, spaces and signs.")
    .nullable()
    .optional(),
});
export type ProfileInput = z.infer<typeof profileInput>;

export const ownProfileApi = {
  read: endpoint("artist", "GET /artist/profile", "readArtistProfile")
    .route({ summary: "Your profile; has only your name until you save it" })
    .output(ownProfile),
  save: endpoint("artist", "PUT /artist/profile", "saveArtistProfile")
    .route({ summary: "Save your profile; after the first save you can be found and booked" })
    .input(profileInput)
    .output(ownProfile),
  places: endpoint("signed-in", "GET /places", "suggestPlaces")
    .route({
      summary:
        "Towns whose names begin with a text: first an exact first word, then your own country, then the largest",
    })
    .input(z.strictObject({ search: z.string().max(100).default("") }))
    .output(z.object({ items: z.array(place) })),
};
