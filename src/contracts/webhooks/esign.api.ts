import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { webhookState, webhookTest } from "#platform/webhooks/webhooks.api.ts";
import { esignProviders } from "#settings/choices.rules.ts";

const endpoint = endpointsOf("settings");

const esignState = webhookState.extend({
  provider: z.enum(esignProviders),
  provider_name: z.string(),
  outside: z.boolean().describe("False for built-in signing, which requires no webhook"),
  fixed: z.boolean().describe("True: ESIGN_PROVIDER is set and overrides the setting"),
  available: z.array(z.enum(esignProviders)),
  key_from_environment: z.boolean(),
});

export const esignApi = {
  state: endpoint("admin", "GET /admin/webhooks/esign", "readEsignWebhook")
    .route({ summary: "The signing service in use, and the time of its last event" })
    .output(esignState),
  testWebhook: endpoint("admin", "POST /admin/webhooks/esign/test", "testEsignWebhook")
    .route({ summary: "Sign a test event with the stored secret and verify it like a delivery; nothing is stored" })
    .input(z.strictObject({}))
    .output(webhookTest),
  test: endpoint("admin", "POST /admin/settings/test-esign", "testEsign")
    .route({
      summary:
        "Test the connection to a signing service with its stored key (default: the service in use); nothing is changed",
    })
    .input(z.strictObject({ service: z.enum(esignProviders).optional() }))
    .output(webhookTest),
};
