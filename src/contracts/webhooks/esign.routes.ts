import { implement } from "@orpc/server";
import type { Context } from "#platform/http/context.ts";
import { type Delivery, testWebhook, timedTest } from "#platform/webhooks/receipt.ts";
import { lastDeliveries } from "#platform/webhooks/webhooks.views.ts";
import { availableProviders, chosenProvider, esignAdapter } from "../choice/provider-choice.ts";
import { esignApi } from "./esign.api.ts";
import { esignWebhookPath, esignWebhookSecret, receiveEsignWebhook } from "./webhook.ts";

const on = implement(esignApi).$context<Context>();

const adapterNow = async ({ db, services }: Context) => esignAdapter(services, await chosenProvider(db, services));

export const esignRoutes = on.router({
  state: on.state.handler(async ({ context }) => {
    const { services, db } = context;
    const { config, realClock } = services;
    const adapter = await adapterNow(context);
    return {
      path: esignWebhookPath,
      url: `${config.publicUrl}${esignWebhookPath}`,
      provider: adapter.name,
      provider_name: adapter.label,
      outside: adapter.outside,
      fixed: config.esign.provider !== undefined,
      available: availableProviders(services),
      key_from_environment: config.esign.apiKey !== undefined,
      has_secret: adapter.outside && adapter.signTestEvent(realClock.now()) !== null,
      ...(await lastDeliveries(db, "signing", adapter.name)),
    };
  }),
  testWebhook: on.testWebhook.handler(({ context }) =>
    timedTest(context.services.clock, async () => {
      const { services } = context;
      const adapter = await adapterNow(context);
      const receive = (delivery: Delivery) => receiveEsignWebhook(services, delivery);
      if (adapter.outside)
        return testWebhook(adapter.signTestEvent(services.realClock.now()), esignWebhookSecret, receive);
      const { ok } = await testWebhook({ raw: Buffer.from("{}"), headers: {} }, esignWebhookSecret, receive);
      const message = ok
        ? "An event was accepted although no signing service is set up."
        : "Contracts are signed on this server. An event was sent to this address and refused, as expected.";
      return { ok: !ok, message };
    }),
  ),
  test: on.test.handler(({ input: { service }, context }) =>
    timedTest(context.services.clock, async () =>
      (service ? await esignAdapter(context.services, service) : await adapterNow(context)).test(),
    ),
  ),
});
