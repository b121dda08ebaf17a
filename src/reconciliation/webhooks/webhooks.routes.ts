import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { retryDeadEvent } from "./provider-events.ts";
import { receiveWebhook, webhookPath } from "./webhook.ts";
import { webhooksApi } from "./webhooks.api.ts";
import { failedEvents, lastDeliveries } from "./webhooks.views.ts";

const on = implement(webhooksApi).$context<Context<Payments>>();

export const webhooksRoutes = on.router({
  state: on.state.handler(async ({ context }) => {
    const { config, gateway, clock } = context.services;
    const [deliveries, failed] = await Promise.all([lastDeliveries(context.db), failedEvents(context.db)]);
    return {
      path: webhookPath,
      url: `${config.publicUrl}${webhookPath}`,
      provider: gateway?.name ?? null,
      has_secret: gateway !== null && gateway.signTestEvent(clock.now()) !== null,
      last_verified: deliveries[0] ?? null,
      deliveries,
      ...failed,
    };
  }),
  retry: on.retry.handler(async ({ input, context }) => ({
    error: await retryDeadEvent(context.services, input.id, requireActor(context).userId),
  })),
  test: on.test.handler(async ({ context }) => {
    const { services } = context;
    const at = services.clock.now();
    const begun = performance.now();
    const result = (ok: boolean, message: string) => ({
      ok,
      message,
      took_ms: Math.round(performance.now() - begun),
      at,
    });
    const signed = services.gateway?.signTestEvent(at);
    if (!services.gateway) return result(false, "No card provider is set up.");
    if (!signed) return result(false, "Webhooks are not set up: STRIPE_WEBHOOK_SECRET is missing.");
    try {
      await receiveWebhook(services, signed.raw, signed.header);
      return result(true, "Signed with the stored secret. The signature was accepted. Nothing else was changed.");
    } catch (error) {
      if (error instanceof Problem) return result(false, error.message);
      throw error;
    }
  }),
});
