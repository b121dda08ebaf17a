import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { testWebhook, timedTest } from "#platform/webhooks/receipt.ts";
import { lastDeliveries } from "#platform/webhooks/webhooks.views.ts";
import { retryDeadEvent } from "./provider-events.ts";
import { receiveWebhook, webhookPath, webhookSecrets } from "./webhook.ts";
import { webhooksApi } from "./webhooks.api.ts";
import { failedEvents } from "./webhooks.views.ts";

const on = implement(webhooksApi).$context<Context<Payments>>();

export const webhooksRoutes = on.router({
  state: on.state.handler(async ({ context: { db, services } }) => {
    const { config, gateway, clock } = services;
    const [last, failed] = await Promise.all([lastDeliveries(db, "payments"), failedEvents(db)]);
    return {
      path: webhookPath,
      url: `${config.publicUrl}${webhookPath}`,
      provider: gateway?.name ?? null,
      has_secret: gateway !== null && gateway.signTestEvent(clock.now()) !== null,
      ...last,
      ...failed,
    };
  }),
  retry: on.retry.handler(async ({ input, context }) => ({
    error: await retryDeadEvent(context.services, input.id, requireActor(context).userId),
  })),
  test: on.test.handler(({ context: { services } }) =>
    timedTest(services.clock, async () => {
      const { gateway, clock } = services;
      if (!gateway) return { ok: false, message: "No card provider is set up." };
      const signed = gateway.signTestEvent(clock.now());
      return testWebhook(signed, webhookSecrets.account, (delivery) => receiveWebhook(services, delivery));
    }),
  ),
});
