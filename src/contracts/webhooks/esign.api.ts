import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { esignProviders } from "#settings/rules.ts";

const endpoint = endpointsOf("settings");

const delivery = z.object({
  id: z.string(),
  type: z.string(),
  received_at: z.date(),
  state: z.enum(["processed", "waiting", "failed"]),
  error: z.string().nullable(),
});

/** A webhook is active once a verified delivery has arrived. Built-in signing has none. */
const esignState = z.object({
  path: z.string(),
  url: z.string(),
  provider: z.enum(esignProviders),
  provider_name: z.string(),
  outside: z.boolean().describe("False for built-in signing, which requires no webhook"),
  fixed: z.boolean().describe("True: ESIGN_PROVIDER is set and overrides the setting"),
  available: z.array(z.enum(esignProviders)),
  key_from_environment: z.boolean(),
  has_secret: z.boolean(),
  last_verified: delivery.nullable(),
  deliveries: z.array(delivery).max(3),
});
export type EsignState = z.infer<typeof esignState>;

const tested = z.object({ ok: z.boolean(), message: z.string(), took_ms: z.int(), at: z.date() });

export const esignApi = {
  state: endpoint("admin", "GET /admin/webhooks/esign", "readEsignWebhook")
    .route({ summary: "The signing service in use, and the time of its last event" })
    .output(esignState),
  testWebhook: endpoint("admin", "POST /admin/webhooks/esign/test", "testEsignWebhook")
    .route({ summary: "Sign a test event with the stored secret and verify it like a delivery; nothing is stored" })
    .input(z.strictObject({}))
    .output(tested),
  test: endpoint("admin", "POST /admin/settings/test-esign", "testEsign")
    .route({
      summary:
        "Test the connection to a signing service with its stored key (default: the service in use); nothing is changed",
    })
    .input(z.strictObject({ service: z.enum(esignProviders).optional() }))
    .output(tested),
};
