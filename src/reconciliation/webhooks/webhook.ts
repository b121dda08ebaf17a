import { requireGateway, type Payments, type WebhookEndpoint } from "#gateway/gateway.ts";
import { acceptWebhook, type Delivery, type WebhookSecret } from "#platform/webhooks/receipt.ts";

export const webhookSecrets: Readonly<Record<WebhookEndpoint, WebhookSecret>> = {
  account: { setting: "STRIPE_WEBHOOK_SECRET", code: "unavailable" },
  connect: { setting: "STRIPE_CONNECT_WEBHOOK_SECRET", code: "connect_webhook_secret_missing" },
};

export const webhookPath = "/api/webhooks/stripe";
export const webhookPaths: Readonly<Record<WebhookEndpoint, string>> = {
  account: webhookPath,
  connect: `${webhookPath}/connect`,
};

/** Stores an event and acknowledges it before the provider is called, so a slow provider causes no retries. */
export async function receiveWebhook(
  services: Payments,
  delivery: Delivery,
  { endpoint = "account", requestId }: { endpoint?: WebhookEndpoint; requestId?: string } = {},
): Promise<void> {
  const gateway = requireGateway(services);
  const event = gateway.readEvent(delivery, services.clock.now(), endpoint);
  const { name: provider } = gateway;
  await acceptWebhook(services, event, { source: "payments", provider, secret: webhookSecrets[endpoint], requestId });
}
