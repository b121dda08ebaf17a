import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { oneLine, prose } from "#platform/security/text.api.ts";
import { rateInput } from "../artist.api.ts";
import { genres } from "../rules.ts";
import { adminArtistSorts } from "./rules.ts";

const endpoint = endpointsOf("artists");

const id = z.uuid("This is not the id of an artist.");

export const listedArtist = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  genre: z.enum(genres),
  location: z.string(),
  base_rate: z.int(),
  top_rate: z.int().nullable(),
  currency: z.string().describe("The currency of the rates"),
  price_confirmed: z
    .boolean()
    .describe("False: the rates are in a former currency of the platform, and the artist cannot be booked"),
  is_active: z.boolean().describe("False: the artist cannot be found or booked"),
  is_public: z.boolean().describe("False: the artist has hidden the page in the settings"),
  is_featured: z.boolean().describe("The latest four are shown on the landing page"),
  booked_count: z.int(),
  shares_name: z.boolean().describe("True: another published act has this name, and no admin has allowed it"),
  owner: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
  created_at: z.date(),
});
export type AdminArtist = z.infer<typeof listedArtist>;

const editedArtist = listedArtist.extend({
  bio: z.string(),
  photo_url: z.string().nullable(),
  video_url: z.string().nullable(),
});
export type EditedArtist = z.infer<typeof editedArtist>;

const tooLong = (max: number) => `At most ${max.toLocaleString("en-US")} characters.`;
const line = (max: number) => oneLine(max, tooLong(max));
/** An external picture or video over https, or an uploaded file. Scripts are refused. */
const url = z
  .string()
  .trim()
  .max(500, "At most 500 characters.")
  .refine(
    (text) => text === "" || /^(https:\/\/|\/storage\/)[^\s"'<>]+$/.test(text),
    "An address begins with https://.",
  )
  .transform((text) => text || null)
  .nullable();

const fields = {
  name: line(120).min(1, "Enter the artist's name."),
  genre: z.enum(genres, `A genre is one of ${genres.join(", ")}.`),
  bio: prose(5_000, tooLong(5_000)),
  base_rate: rateInput,
  top_rate: rateInput.nullable(),
  location: line(200),
  photo_url: url,
  video_url: url,
  is_active: z.boolean(),
  is_featured: z.boolean(),
};
const changes = z.strictObject(fields).partial();
export type ArtistChanges = z.infer<typeof changes> & { allow_shared_name?: true | undefined };

export const adminArtistFilters = {
  search: listSearch.describe("Part of a name or a genre, in any case"),
  active: oneOf(["active", "inactive"]),
};

export const adminArtistsApi = {
  list: endpoint("admin", "GET /admin/artists", "listAllArtists")
    .route({ summary: "All artists, active or not, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...adminArtistFilters,
        sort: oneOf(adminArtistSorts).describe("A column, ascending or with - descending"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(listedArtist)),
  get: endpoint("admin", "GET /admin/artists/{id}", "readArtist")
    .route({ summary: "One artist, for editing" })
    .input(z.strictObject({ id }))
    .output(editedArtist),
  create: endpoint("admin", "POST /admin/artists", "createArtist")
    .route({ successStatus: 201, summary: "Create an artist without an account; an account can claim it" })
    .input(changes.required({ name: true }))
    .output(editedArtist),
  change: endpoint("admin", "PATCH /admin/artists/{id}", "changeArtist")
    .route({
      summary: "Change the given fields, including whether the artist is active or featured, effective immediately",
    })
    .input(changes.extend({ id, allow_shared_name: z.literal(true).optional() }))
    .output(editedArtist),
};
