/** An artist's own sound samples. Uploads themselves are no JSON: see media/plugin.ts. Every change is stored at once. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { longestSampleTitle, mostSamples } from "../media.rules.ts";
import { artistSample } from "../sample.api.ts";

const tags = ["Artists"];

export const ownSample = artistSample.extend({
  loudness: z.number().describe("Of the recording as it was uploaded, in LUFS"),
  gain: z.number().describe("What is added to it, in decibels"),
});
export type OwnSample = z.infer<typeof ownSample>;

const ownSamples = z.object({ items: z.array(ownSample) });
const id = z.uuid();
const title = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(longestSampleTitle, `At most ${longestSampleTitle} characters.`);

export const samplesApi = {
  list: endpoint("artist")
    .route({
      method: "GET",
      path: "/artist/samples",
      operationId: "listArtistSamples",
      tags,
      summary: "Your sound samples in their order",
    })
    .output(ownSamples),
  rename: endpoint("artist")
    .route({
      method: "PATCH",
      path: "/artist/samples/{id}",
      operationId: "renameArtistSample",
      tags,
      summary: "Rename a sound sample",
    })
    .input(z.strictObject({ id, title }))
    .output(ownSamples),
  order: endpoint("artist")
    .route({
      method: "PUT",
      path: "/artist/samples/order",
      operationId: "orderArtistSamples",
      tags,
      summary: "Put your sound samples in another order; the first plays on cards",
    })
    .input(z.strictObject({ ids: z.array(id).max(mostSamples) }))
    .output(ownSamples),
  delete: endpoint("artist")
    .route({
      method: "DELETE",
      path: "/artist/samples/{id}",
      operationId: "deleteArtistSample",
      tags,
      summary: "Delete a sound sample and its file",
    })
    .input(z.strictObject({ id }))
    .output(ownSamples),
};
