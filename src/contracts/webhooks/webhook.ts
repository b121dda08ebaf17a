import { Problem, invalid } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { chosenProvider, esignAdapter } from "../choice/provider-choice.ts";
import { type Delivery, type EsignAdapter, type WebhookErrorCode, webhookTestType } from "../providers/provider.ts";
import { storeEsignEvent } from "./esign-events.store.ts";

export const esignWebhookPath = "/api/webhooks/esign";

const webhookErrors: Record<WebhookErrorCode, () => Problem> = {
  no_secret: () =>
    new Problem("unavailable", "Webhooks are not set up: ESIGN_WEBHOOK_SECRET is missing.", { code: "no_secret" }),
  no_webhook: () =>
    new Problem("unavailable", "Contracts are signed on this server. No signing service is set up.", {
      code: "no_service",
    }),
  bad_signature: () => invalid("The signature of this webhook does not match."),
  wrong_time: () => invalid("The timestamp of this webhook is too old or in the future."),
  not_ours: () => invalid("This webhook belongs to another account, or is not an event."),
};

/** Verifies a delivery and stores its event. Throws the error response otherwise. The event of our own test is verified and not stored. */
export async function receiveEsignWebhook(services: PlatformServices, delivery: Delivery, requestId?: string) {
  const { database, clock, realClock, log } = services;
  const adapter = await listeningAdapter(services, delivery);
  const event = adapter.verifyWebhook(delivery, realClock.now());
  if ("refused" in event) {
    log.warn(
      { requestId, refused: event.refused, provider: adapter.name },
      "a webhook of the signing service was refused",
    );
    throw webhookErrors[event.refused]();
  }
  if (event.type !== webhookTestType) {
    await database.transaction(async (tx) => {
      await storeEsignEvent(tx, adapter.name, event, clock.now());
      await broadcastChange(tx, "settings", { admins: true });
    });
    services.wake();
  }
}

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
