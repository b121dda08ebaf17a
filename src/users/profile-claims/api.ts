import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("accounts");

const profileClaimShape = z.object({
  id: z.uuid(),
  artistId: z.uuid(),
  artistName: z.string(),
  evidence: z.string(),
  createdAt: z.date(),
  decidedAt: z.date().nullable(),
  granted: z.boolean().nullable(),
  note: z.string().nullable(),
});
const claimantShape = profileClaimShape.extend({
  userId: z.uuid(),
  userName: z.string(),
  userEmail: z.string(),
  emailVerified: z.boolean(),
});

export const profileClaimsApi = {
  claimable: endpoint("artist", "GET /me/claimable-artists", "listClaimableArtists")
    .route({ summary: "Artists without an owner that have the user's name" })
    .output(
      z.object({
        items: z.array(z.object({ artistId: z.uuid(), name: z.string(), slug: z.string(), genre: z.string() })),
      }),
    ),
  claim: endpoint("artist", "POST /me/claims", "claimProfile")
    .route({ summary: "Claim an artist without an owner, with evidence" })
    .input(
      z.strictObject({
        artistId: z.uuid(),
        evidence: prose(4_000).min(10, "Describe how we can verify that this is you."),
      }),
    )
    .output(profileClaimShape),
  mine: endpoint("signed-in", "GET /me/claims", "listMyClaims")
    .route({ summary: "The user's own claims" })
    .output(z.object({ items: z.array(profileClaimShape) })),
  waiting: endpoint("admin", "GET /admin/claims", "listClaims")
    .route({ tags: ["users"], summary: "Open claims, oldest first, at most 100" })
    .output(z.object({ items: z.array(claimantShape), total: z.int() })),
  decide: endpoint("admin", "POST /admin/claims/{claimId}", "decideProfileClaim")
    .route({ tags: ["users"], summary: "Grant an artist to the claiming user, or refuse with a reason" })
    .input(z.strictObject({ claimId: z.uuid(), granted: z.boolean(), note: prose(500).default("") }))
    .output(profileClaimShape),
};
