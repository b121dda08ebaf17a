import type { PaymentServices, Sandbox } from "#gateway/gateway.ts";
import type { Config } from "#platform/config.ts";
import type { Database } from "#platform/db/index.ts";
import { errorCode, errorMessage } from "#platform/errors.ts";
import type { Log } from "#platform/log.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { Clock } from "#platform/time/clock.ts";
import { stripeGateway } from "./adapters/stripe/gateway.ts";

type Parts = Readonly<{ config: Config; database: Database; clock: Clock; log: Log; keys: Keys }>;
export type OpenSandbox = (parts: Parts) => Promise<Sandbox>;

/** Opens the provider. The gateway is null without a key outside demo mode: payments are not set up. */
export async function openPayments(parts: Parts): Promise<{ services: PaymentServices; close(): Promise<void> }> {
  const { stripe, demo } = parts.config;
  const nothing = async () => undefined;
  if (stripe) {
    const { installation } = parts.keys;
    return { services: { gateway: stripeGateway({ name: "stripe", installation, ...stripe }) }, close: nothing };
  }
  const openSandbox = demo ? await findSandbox() : undefined;
  if (!openSandbox) return { services: { gateway: null }, close: nothing };
  const sandbox = await openSandbox(parts);
  const { host, port, secretKey, webhookSecret, connectWebhookSecret } = sandbox;
  const gateway = stripeGateway({
    name: "sandbox",
    installation: "sandbox",
    live: false,
    secretKey,
    webhookSecret,
    connectWebhookSecret,
    at: { host, port, protocol: "http" },
  });
  return { services: { gateway, sandbox }, close: () => sandbox.close() };
}

async function findSandbox(): Promise<OpenSandbox | undefined> {
  const address = new URL("../../sandbox/index.ts", import.meta.url).href;
  try {
    const found: unknown = await import(address);
    return (found as { openSandbox: OpenSandbox }).openSandbox;
  } catch (error) {
    if (errorCode(error) === "ERR_MODULE_NOT_FOUND" && errorMessage(error).includes("/sandbox/index.ts"))
      return undefined;
    throw error;
  }
}
