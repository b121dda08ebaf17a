/** An artist's own pictures and video. Uploads are not JSON: see media/plugin.ts. */

import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { oneLine } from "#platform/security/text.api.ts";
import { maxCaptionLength, maxPortfolioPictures, uploadKinds } from "../media.rules.ts";
import { pictureImage } from "../picture.api.ts";

const endpoint = endpointsOf("artists");

/** The response to an upload. It is not displayed until it is saved as a photo, a video's poster or a portfolio picture. */
const uploadedPicture = z.object({ url: z.string(), kind: z.enum(uploadKinds), image: pictureImage.unwrap() });
export type UploadedPicture = z.infer<typeof uploadedPicture>;

const portfolioPicture = z.object({
  id: z.uuid(),
  url: z.string(),
  alt: z.string(),
  caption: z.string(),
  image: pictureImage,
});

const ownMedia = z.object({
  slug: z.string().nullable().describe("Null until the profile is saved for the first time"),
  is_active: z.boolean(),
  is_public: z.boolean().describe("False: the artist has hidden the page in the settings"),
  name: z.string(),
  photo_url: z.string().nullable(),
  photo_image: pictureImage,
  poster_url: z.string().nullable().describe("The generated poster, shown if there is no photo"),
  video_url: z.string().nullable(),
  video_poster: portfolioPicture.nullable(),
  items: z.array(portfolioPicture),
  version: z.string().describe("The state of the photo, the video and the portfolio, to return with a change"),
});
export type OwnMedia = z.infer<typeof ownMedia>;

const line = (max: number) => oneLine(max, `At most ${max} characters.`);
const pictureAddress = z.string().max(500);
const texts = { alt: line(maxCaptionLength), caption: line(maxCaptionLength) };

const mediaInput = z.strictObject({
  photo_url: pictureAddress.nullable(),
  video_url: line(500).nullable().describe("An https address, or the id of a YouTube or Vimeo video"),
  video_poster: z.strictObject({ url: pictureAddress, ...texts }).nullable(),
  items: z
    .array(z.strictObject({ url: pictureAddress, ...texts }))
    .max(maxPortfolioPictures, `A portfolio holds at most ${maxPortfolioPictures} pictures.`)
    .describe("The whole portfolio in its order; omitted items are deleted"),
  version: z
    .string()
    .max(100)
    .optional()
    .describe(
      "The version that the change is based on. An outdated one returns a conflict (409). Without one, any version is replaced",
    ),
});
export type MediaInput = z.infer<typeof mediaInput>;

const storedFile = z.object({
  name: z.string(),
  url: z.string(),
  kind: z.enum(uploadKinds),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  created_at: z.date(),
});

export const mediaApi = {
  read: endpoint("artist", "GET /artist/media", "readArtistMedia")
    .route({ summary: "Your photo, your video and your portfolio" })
    .output(ownMedia),
  save: endpoint("artist", "PUT /artist/media", "saveArtistMedia")
    .route({
      summary:
        "Save the photo, the video and the whole portfolio in its order; files that are no longer used are deleted",
    })
    .input(mediaInput)
    .output(ownMedia),
  files: endpoint("artist", "GET /artist/media/files", "listArtistFiles")
    .route({ summary: "Your files in the bucket artist-media, by name" })
    .input(
      z.strictObject({
        limit: z.coerce.number().int().min(1).max(1000).default(100),
        offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
        order: z.enum(["asc", "desc"]).default("asc"),
      }),
    )
    .output(z.object({ items: z.array(storedFile) })),
};
