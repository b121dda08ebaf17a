/** The signing service for admins: its state and its events. */
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
  outside: z.boolean().describe("False for built-in signing, which needs no webhook"),
  fixed: z.boolean().describe("ESIGN_PROVIDER has chosen; the setting is without effect"),
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
    .route({ summary: "Which service presents contracts, and when it was last heard" })
    .output(esignState),
  testWebhook: endpoint("admin", "POST /admin/webhooks/esign/test", "testEsignWebhook")
    .route({
      summary: "Sign an event with the stored secret and verify it as a delivery is verified; nothing is stored",
    })
    .input(z.strictObject({}))
    .output(tested),
  test: endpoint("admin", "POST /admin/settings/test-esign", "testEsign")
    .route({
      summary:
        "Whether a signing service answers now, with its stored key (without one: the service in force); nothing is changed",
    })
    .input(z.strictObject({ service: z.enum(esignProviders).optional() }))
    .output(tested),
};
