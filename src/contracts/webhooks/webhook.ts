import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { acceptWebhook, type Delivery, type WebhookSecret } from "#platform/webhooks/receipt.ts";
import { webhookPlugin } from "#platform/webhooks/webhooks.plugin.ts";
import { broadcastChange } from "#realtime/index.ts";
import { chosenProvider, esignAdapter } from "../choice/provider-choice.ts";
import type { EsignAdapter } from "../providers/provider.ts";

export const esignWebhookPath = "/api/webhooks/esign";
export const esignWebhookSecret: WebhookSecret = { setting: "ESIGN_WEBHOOK_SECRET", code: "no_secret" };

export async function receiveEsignWebhook(services: PlatformServices, delivery: Delivery, requestId?: string) {
  const adapter = await listeningAdapter(services, delivery);
  if (!adapter.outside)
    throw new Problem("unavailable", "Contracts are signed on this server. No signing service is set up.", {
      code: "no_service",
    });
  await acceptWebhook(services, adapter.verifyWebhook(delivery, services.realClock.now()), {
    source: "signing",
    provider: adapter.name,
    secret: esignWebhookSecret,
    requestId,
    stored: (tx) => broadcastChange(tx, "settings", { admins: true }),
  });
}

export const esignWebhookPlugin = (services: PlatformServices) =>
  webhookPlugin(esignWebhookPath, (delivery, requestId) => receiveEsignWebhook(services, delivery, requestId));

/** Returns the adapter of a delivery. After another service was chosen, earlier contracts are still signed at the former one, which reports here. */
async function listeningAdapter(services: PlatformServices, { headers }: Delivery): Promise<EsignAdapter> {
  const chosen = await chosenProvider(services.database.db, services);
  const names = Object.keys(headers);
  const from = names.some((name) => name.startsWith("x-docusign-signature-"))
    ? "docusign"
    : names.includes("x-docuseal-signature")
      ? "docuseal"
      : chosen;
  if (from === chosen) return esignAdapter(services, chosen);
  const sentBefore = await services.database.db
    .selectFrom("contracts")
    .select("id")
    .where("provider", "=", from)
    .where("provider_ref", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return esignAdapter(services, sentBefore ? from : chosen);
}
