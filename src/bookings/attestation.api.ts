import { z } from "zod";
import { contractSides, objectionDecisions, signedDocumentTypes } from "#contracts/rules.ts";

const sha256 = z.string().describe("SHA-256 in hex");
const side = z.enum(contractSides);
const mediaType = z.enum(
  Object.keys(signedDocumentTypes) as [keyof typeof signedDocumentTypes, ...(keyof typeof signedDocumentTypes)[]],
);

export const attestationReply = z.object({
  reason: z.string(),
  by: z.string(),
  at: z.date(),
  paper: z.object({ sha256, media_type: mediaType, bytes: z.int() }).nullable(),
  objection_end: z.date(),
  objections: z.array(
    z.object({
      side,
      reason: z.string(),
      at: z.date(),
      decision: z
        .enum([...objectionDecisions, "booking_ended"])
        .nullable()
        .describe("Null until it is decided"),
      decided_at: z.date().nullable(),
      decision_reason: z.string().nullable(),
    }),
  ),
});
