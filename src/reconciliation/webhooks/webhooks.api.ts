import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("settings");

const delivery = z.object({
  id: z.string(),
  type: z.string(),
  received_at: z.date(),
  state: z.enum(["processed", "waiting", "failed"]),
  error: z.string().nullable(),
});

/** A webhook is active once a verified delivery has arrived. */
export const webhookState = z.object({
  path: z.string(),
  url: z.string(),
  provider: z.string().nullable().describe("Null while no card provider is set up"),
  has_secret: z.boolean(),
  last_verified: delivery.nullable(),
  deliveries: z.array(delivery).max(3),
});
export type WebhookState = z.infer<typeof webhookState>;

export const webhooksApi = {
  state: endpoint("admin", "GET /admin/webhooks/stripe", "readPaymentWebhook")
    .route({ summary: "When the card provider was last heard, and how the last three deliveries went" })
    .output(webhookState),
  test: endpoint("admin", "POST /admin/webhooks/stripe/test", "testPaymentWebhook")
    .route({
      summary: "Sign an event with the stored secret and verify it as a delivery is verified; nothing is stored",
    })
    .input(z.strictObject({}))
    .output(z.object({ ok: z.boolean(), message: z.string(), took_ms: z.int(), at: z.date() })),
};
