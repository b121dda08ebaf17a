import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

const tags = ["Accounts"];

export const profileClaimShape = z.object({
  id: z.uuid(),
  artistId: z.uuid(),
  artistName: z.string(),
  artistSlug: z.string(),
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
  claimable: endpoint("artist")
    .route({
      method: "GET",
      path: "/me/claimable-artists",
      operationId: "listClaimableArtists",
      tags,
      summary: "Artists without an owner that bear the person's name",
    })
    .output(
      z.object({
        items: z.array(z.object({ artistId: z.uuid(), name: z.string(), slug: z.string(), genre: z.string() })),
      }),
    ),
  claim: endpoint("artist")
    .route({
      method: "POST",
      path: "/me/claims",
      operationId: "claimProfile",
      tags,
      summary: "Ask for such an artist, with evidence",
    })
    .input(
      z.strictObject({
        artistId: z.uuid(),
        evidence: z.string().trim().min(10, "Describe how we can verify that this is you.").max(4000),
      }),
    )
    .output(profileClaimShape),
  mine: endpoint("signed-in")
    .route({
      method: "GET",
      path: "/me/claims",
      operationId: "listMyClaims",
      tags,
      summary: "The user's own claims",
    })
    .output(z.object({ items: z.array(profileClaimShape) })),
  waiting: endpoint("admin")
    .route({
      method: "GET",
      path: "/admin/claims",
      operationId: "listClaims",
      tags: ["Admin"],
      summary: "Claims that wait for a decision, oldest first",
    })
    .output(z.object({ items: z.array(claimantShape) })),
  decide: endpoint("admin")
    .route({
      method: "POST",
      path: "/admin/claims/{claimId}",
      operationId: "decideProfileClaim",
      tags: ["Admin"],
      summary: "Give the artist to the person, or refuse with a reason",
    })
    .input(z.strictObject({ claimId: z.uuid(), granted: z.boolean(), note: z.string().trim().max(500).default("") }))
    .output(profileClaimShape),
};
