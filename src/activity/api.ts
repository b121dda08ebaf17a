/** What the activity module answers. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

/** One kind of case that waits for a person. */
export const attention = z.object({
  kind: z.string(),
  message: z.string().describe("What it is about, to be read after the count"),
  count: z.int(),
  since: z.date().nullable(),
  example: z.string().nullable().describe("The oldest case: an id, and what it is"),
});
export type Attention = z.infer<typeof attention>;

export const activityApi = {
  attention: endpoint("admin")
    .route({
      method: "GET",
      path: "/admin/attention",
      operationId: "listAttention",
      tags: ["activity"],
      summary: "What was given up and waits for a person; empty when all is well",
    })
    .output(z.object({ items: z.array(attention) })),
};
