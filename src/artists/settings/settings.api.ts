import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { settingsChange, settingsDocument } from "#settings/api.ts";
import { policyNames } from "#settings/policy-names.rules.ts";
import { artistShape } from "#settings/rules.ts";

const endpoint = endpointsOf("settings");

const ownSettings = settingsDocument(artistShape).extend({
  artist: z.object({
    slug: z.string(),
    name: z.string(),
    location: z.string(),
    time_zone: z.string(),
    policies: z.array(z.enum(policyNames)).describe("The cancellation policies that the platform allows"),
    policy_default: z.enum(policyNames).describe("The default policy of artists who do not choose one"),
  }),
});

export const artistSettingsApi = {
  read: endpoint("artist", "GET /artist/settings", "readArtistSettings")
    .route({ summary: "The settings of the signed-in artist; 404 without an artist profile" })
    .output(ownSettings),
  save: endpoint("artist", "PATCH /artist/settings", "saveArtistSettings")
    .route({ summary: "Change some of the artist's settings" })
    .input(settingsChange(artistShape))
    .output(ownSettings),
};
