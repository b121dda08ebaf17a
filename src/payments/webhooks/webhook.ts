/** The provider's webhook. It verifies and stores an event, then acknowledges it; the work is done afterwards (provider-events.ts). */
import type { FastifyPluginAsync } from "fastify";
import { Problem } from "#platform/errors.ts";
import { requireGateway } from "../checkout/checkout.ts";
import type { Payments, WebhookErrorCode } from "../gateway.ts";
import { webhookTestType } from "../rules.ts";
import { storeEvent } from "./provider-events.store.ts";

const bodyLimit = 1_048_576;

const webhookErrors: Record<WebhookErrorCode, () => Problem> = {
  no_secret: () => new Problem("unavailable", "Webhooks are not set up: STRIPE_WEBHOOK_SECRET is missing."),
  bad_signature: () => new Problem("invalid", "The signature of this webhook does not match."),
  wrong_time: () => new Problem("invalid", "This webhook was signed at another time."),
  not_ours: () => new Problem("invalid", "This webhook belongs to another account or mode, or is not an event."),
};

export const webhookPath = "/api/webhooks/stripe";

/** Verifies a delivery and stores its event; throws what is answered instead. The event of our own test is verified and not stored. */
export async function receiveWebhook(
  services: Payments,
  raw: Uint8Array,
  header: string | undefined,
  requestId?: string,
): Promise<void> {
  const gateway = requireGateway(services);
  const event = gateway.readEvent(raw, header, services.clock.now());
  if ("refused" in event) {
    services.log.warn({ requestId, refused: event.refused }, "a webhook was refused");
    throw webhookErrors[event.refused]();
  }
  if (event.type === webhookTestType) return;
  await storeEvent(services, gateway, event);
  services.wake();
}

/**
 * POST /api/webhooks/stripe. Raw bytes only: a parsed body cannot be verified. It answers 200 once the event is committed,
 * without waiting for the provider, so that a slow provider causes no retries; 400 for what is not believed, 503 without a secret.
 */
export const webhookPlugin =
  (services: Payments): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
    app.post("/api/webhooks/stripe", { bodyLimit }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = request.headers["stripe-signature"];
      await receiveWebhook(services, raw, typeof header === "string" ? header : undefined, request.id);
      return reply.send({ received: true });
    });
  };
