import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { delivery, webhookState, webhookTest } from "#platform/webhooks/webhooks.api.ts";

const endpoint = endpointsOf("settings");

const paymentWebhookState = webhookState.extend({
  provider: z.string().nullable().describe("Null if no card provider is set up"),
  failed: z.array(delivery).max(20).describe("The oldest events that could not be processed"),
  failed_count: z.int().describe("How many events could not be processed"),
});
export type WebhookState = z.infer<typeof paymentWebhookState>;

export const webhooksApi = {
  state: endpoint("admin", "GET /admin/webhooks/stripe", "readPaymentWebhook")
    .route({ summary: "The time of the card provider's last event, and the results of the last three deliveries" })
    .output(paymentWebhookState),
  retry: endpoint("admin", "POST /admin/provider-events/{id}/retry", "retryProviderEvent")
    .route({
      summary: "Process an event of the card provider that failed again; the response has the reason of a failure",
    })
    .input(z.strictObject({ id: z.string().min(1).max(255) }))
    .output(z.object({ error: z.string().nullable() })),
  test: endpoint("admin", "POST /admin/webhooks/stripe/test", "testPaymentWebhook")
    .route({ summary: "Sign a test event with the stored secret and verify it like a delivery; nothing is stored" })
    .input(z.strictObject({}))
    .output(webhookTest),
};
