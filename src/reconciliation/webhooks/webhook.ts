/** The provider's webhook. Stores an event and acknowledges it before the provider is called, so a slow provider causes no retries. */

import type { FastifyInstance } from "fastify";
import { requireGateway, type Payments, type WebhookEndpoint, type WebhookErrorCode } from "#gateway/gateway.ts";
import { webhookTestType } from "#payments/rules.ts";
import { Problem, invalid } from "#platform/errors.ts";
import { storeEvent } from "./provider-events.store.ts";

const bodyLimit = 1_048_576;

const secrets: Record<WebhookEndpoint, { setting: string; code: string }> = {
  account: { setting: "STRIPE_WEBHOOK_SECRET", code: "unavailable" },
  connect: { setting: "STRIPE_CONNECT_WEBHOOK_SECRET", code: "connect_webhook_secret_missing" },
};

const webhookErrors: Record<WebhookErrorCode, (endpoint: WebhookEndpoint) => Problem> = {
  no_secret: (endpoint) =>
    new Problem("unavailable", `Webhooks are not set up: ${secrets[endpoint].setting} is missing.`, {
      code: secrets[endpoint].code,
    }),
  bad_signature: () => invalid("The signature of this webhook does not match."),
  wrong_time: () => invalid("The timestamp of this webhook is too old or in the future."),
  not_ours: () => invalid("This webhook belongs to another account or mode, or is not an event."),
};

export const webhookPath = "/api/webhooks/stripe";
export const webhookPaths: Readonly<Record<WebhookEndpoint, string>> = {
  account: webhookPath,
  connect: `${webhookPath}/connect`,
};

export async function receiveWebhook(
  services: Payments,
  raw: Uint8Array,
  header: string | undefined,
  { endpoint = "account", requestId }: { endpoint?: WebhookEndpoint; requestId?: string } = {},
): Promise<void> {
  const gateway = requireGateway(services);
  const event = gateway.readEvent(raw, header, services.clock.now(), endpoint);
  if ("refused" in event) {
    services.log.warn({ requestId, endpoint, refused: event.refused }, "a webhook was refused");
    throw webhookErrors[event.refused](endpoint);
  }
  if (event.type === webhookTestType) return;
  await storeEvent(services, gateway, event);
  services.wake();
}

/** Raw bytes, because a parsed body cannot be verified. 200 once the event is committed, 400 if invalid, 503 without the secret. */
export const webhookPlugin = (services: Payments) => async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
  for (const endpoint of ["account", "connect"] as const)
    app.post(webhookPaths[endpoint], { bodyLimit }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = request.headers["stripe-signature"];
      const signature = typeof header === "string" ? header : undefined;
      await receiveWebhook(services, raw, signature, { endpoint, requestId: request.id });
      return reply.send({ received: true });
    });
};
