import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { oneLine } from "#platform/security/text.api.ts";
import { maxSampleTitleLength, maxSamples } from "../media.rules.ts";
import { artistSample } from "../sample.api.ts";

const endpoint = endpointsOf("artists");

const ownSample = artistSample.extend({
  loudness: z.number().describe("Loudness of the uploaded recording, in LUFS"),
  gain: z.number().describe("The gain that is applied to it, in decibels"),
});
export type OwnSample = z.infer<typeof ownSample>;

const ownSamples = z.object({ items: z.array(ownSample) });
const id = z.uuid();
const title = oneLine(maxSampleTitleLength, `At most ${maxSampleTitleLength} characters.`).min(1, "Enter a name.");

export const samplesApi = {
  list: endpoint("artist", "GET /artist/samples", "listArtistSamples")
    .route({ summary: "Your sound samples in their order" })
    .output(ownSamples),
  rename: endpoint("artist", "PATCH /artist/samples/{id}", "renameArtistSample")
    .route({ summary: "Rename a sound sample" })
    .input(z.strictObject({ id, title }))
    .output(ownSamples),
  order: endpoint("artist", "PUT /artist/samples/order", "orderArtistSamples")
    .route({ summary: "Reorder your sound samples; the first plays on cards" })
    .input(z.strictObject({ ids: z.array(id).max(maxSamples) }))
    .output(ownSamples),
  delete: endpoint("artist", "DELETE /artist/samples/{id}", "deleteArtistSample")
    .route({ summary: "Delete a sound sample and its file" })
    .input(z.strictObject({ id }))
    .output(ownSamples),
};
