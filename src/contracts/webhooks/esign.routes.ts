import { implement } from "@orpc/server";
import { Problem } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { availableProviders, chosenProvider, esignAdapter } from "../choice/provider-choice.ts";
import { webhookTestType } from "../providers/provider.ts";
import { esignApi } from "./esign.api.ts";
import { lastEsignDeliveries } from "./esign.views.ts";
import { esignWebhookPath, receiveEsignWebhook } from "./webhook.ts";

const on = implement(esignApi).$context<Context>();

const adapterNow = async ({ db, services }: Context) => esignAdapter(services, await chosenProvider(db, services));

async function timed(context: Context, test: () => Promise<{ ok: boolean; message: string }>) {
  const at = context.services.clock.now();
  const begun = performance.now();
  const { ok, message } = await test();
  return { ok, message, took_ms: Math.round(performance.now() - begun), at };
}

/** Tests that an unsigned delivery is rejected, because built-in signing must accept none. */
async function testWithoutService(services: PlatformServices): Promise<{ ok: boolean; message: string }> {
  const unsigned = { raw: Buffer.from(JSON.stringify({ event_type: webhookTestType, data: {} })), headers: {} };
  try {
    await receiveEsignWebhook(services, unsigned);
    return { ok: false, message: "An event was accepted although no signing service is set up." };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ok: true,
      message: "Contracts are signed on this server. An event was sent to this address and refused, as expected.",
    };
  }
}

export const esignRoutes = on.router({
  state: on.state.handler(async ({ context }) => {
    const { services, db } = context;
    const { config, realClock } = services;
    const adapter = await adapterNow(context);
    const deliveries = await lastEsignDeliveries(db, adapter.name);
    return {
      path: esignWebhookPath,
      url: `${config.publicUrl}${esignWebhookPath}`,
      provider: adapter.name,
      provider_name: adapter.label,
      outside: adapter.outside,
      fixed: config.esign.provider !== undefined,
      available: availableProviders(services),
      key_from_environment: config.esign.apiKey !== undefined,
      has_secret: adapter.signTestEvent(realClock.now()) !== null,
      last_verified: deliveries[0] ?? null,
      deliveries,
    };
  }),
  testWebhook: on.testWebhook.handler(({ context }) =>
    timed(context, async () => {
      const { services } = context;
      const adapter = await adapterNow(context);
      if (!adapter.outside) return testWithoutService(services);
      const delivery = adapter.signTestEvent(services.realClock.now());
      if (!delivery) return { ok: false, message: "Webhooks are not set up: ESIGN_WEBHOOK_SECRET is missing." };
      try {
        await receiveEsignWebhook(services, delivery);
        return {
          ok: true,
          message: "Signed with the stored secret. The signature was accepted. Nothing else was changed.",
        };
      } catch (error) {
        if (error instanceof Problem) return { ok: false, message: error.message };
        throw error;
      }
    }),
  ),
  test: on.test.handler(({ input, context }) =>
    timed(context, async () => {
      const { service } = input;
      return (service ? await esignAdapter(context.services, service) : await adapterNow(context)).test();
    }),
  ),
});
