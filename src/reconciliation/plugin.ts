import type { FastifyInstance } from "fastify";
import type { Payments, Sandbox } from "#gateway/gateway.ts";
import type { Delivery } from "#platform/webhooks/receipt.ts";
import { webhookPlugin } from "#platform/webhooks/webhooks.plugin.ts";
import { receiveWebhook, webhookPaths } from "./webhooks/webhook.ts";

export const providerPlugin = (services: Payments) => async (app: FastifyInstance) => {
  for (const endpoint of ["account", "connect"] as const) {
    const receive = (delivery: Delivery, requestId: string) =>
      receiveWebhook(services, delivery, { endpoint, requestId });
    await app.register(webhookPlugin(webhookPaths[endpoint], receive));
  }
  if (!services.sandbox) return;
  await app.register(services.sandbox.pages);
  deliverHere(app, services.sandbox);
};

/** Sends the sandbox's webhooks over HTTP to this server's address. A server without a socket gets them injected. */
function deliverHere(app: FastifyInstance, sandbox: Sandbox): void {
  sandbox.deliverTo(async (body, headers, endpoint) => {
    const path = webhookPaths[endpoint];
    const address = app.server.address();
    if (address === null || typeof address === "string") {
      const response = await app.inject({ method: "POST", url: path, headers: { ...headers }, payload: body });
      return response.statusCode < 300;
    }
    const host = address.address.includes(":")
      ? `[${address.address === "::" ? "::1" : address.address}]`
      : address.address;
    const response = await fetch(`http://${host}:${address.port}${path}`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return response.ok;
  });
}
