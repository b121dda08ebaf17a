import { z } from "zod";
import { endpointsOf, pageOf } from "#platform/http/api.ts";
import { adminArtistsApi } from "./admin/api.ts";
import {
  artistFilters,
  artistListInput,
  artistProfile,
  comparedArtist,
  compareInput,
  listedArtist,
  searchFields,
} from "./artist.api.ts";
import { mediaApi } from "./media/api.ts";
import { samplesApi } from "./media/samples.api.ts";
import { ownProfileApi } from "./own-profile/api.ts";
import { genres, maxCountedNearby } from "./rules.ts";
import { artistSettingsApi } from "./settings/settings.api.ts";

export * from "./artist.api.ts";
export { adminArtistFilters } from "./admin/api.ts";

const get = (path: `/${string}`, operationId: string, summary: string) =>
  endpointsOf("artists")("public", `GET ${path}`, operationId, { cacheable: true }).route({ summary });

export const artistsApi = {
  admin: adminArtistsApi,
  settings: artistSettingsApi,
  list: get("/artists", "listArtists", "Find artists").input(artistListInput).output(pageOf(listedArtist)),
  count: get("/artists/count", "countArtists", "Count the artists of a search")
    .input(artistFilters)
    .output(
      z.object({
        total: z.int(),
        capped: z.boolean().describe("True if there are more artists than total"),
        away: z
          .int()
          .optional()
          .describe(
            "With a night and a town: the number of artists who are free but do not travel that far; 1,001 means more than 1,000",
          ),
        genres: z
          .array(z.object({ genre: z.enum(genres), count: z.int() }))
          .optional()
          .describe(
            "With a night: the genres of the available artists, largest count first; absent if there are more artists than total",
          ),
        nearby: z
          .array(z.object({ night: z.iso.date(), total: z.int() }))
          .optional()
          .describe(
            `With a night and fewer than six available artists: the two nearest nights with more, within five days; a total of ${maxCountedNearby} means at least as many`,
          ),
      }),
    ),
  featured: get("/artists/featured", "listFeaturedArtists", "The four featured artists of the landing page")
    .input(z.strictObject({ night: searchFields.night, town: searchFields.town, kind: searchFields.kind }))
    .output(z.object({ items: z.array(listedArtist) })),
  compare: get("/artists/compare", "compareArtists", "Up to four artists for comparison; unknown slugs are omitted")
    .input(compareInput)
    .output(z.object({ items: z.array(comparedArtist) })),
  get: get("/artists/{slug}", "getArtist", "One artist's public profile")
    .input(z.strictObject({ slug: z.string().max(200) }))
    .output(artistProfile),
  own: ownProfileApi,
  media: mediaApi,
  samples: samplesApi,
};
