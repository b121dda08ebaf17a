/** The demo's card provider: calls on a loopback port, checkout pages under the app's address, state in the database, signed webhooks over HTTP. */

import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Sandbox, WebhookSender } from "#gateway/gateway.ts";
import type { OpenSandbox } from "#payments/provider.ts";
import type { Database } from "#platform/db/index.ts";
import { startDelivery } from "./deliver.ts";
import { sandboxPages } from "./pages.ts";
import { startServer } from "./server.ts";
import { settlementCurrencies } from "./settlement.ts";
import { keepSecrets } from "./store.ts";

export const openSandbox: OpenSandbox = async ({ config, database, clock, log }): Promise<Sandbox> => {
  const received = settlementCurrencies(config.sandboxCurrencies);
  const secrets = await loadSecrets(database);
  const now = () => Math.floor(clock.now().getTime() / 1000);
  const local = config.host.includes(":") ? `[${config.host}]` : config.host;
  let send: WebhookSender = (body, headers, endpoint) =>
    post(
      `http://${local}:${config.port}/api/webhooks/stripe${endpoint === "connect" ? "/connect" : ""}`,
      body,
      headers,
    );
  const delivery = startDelivery({ database, log, secrets, now, send: () => send });
  const changed = () => void delivery.flush().catch(() => undefined);
  const server = await startServer({
    database,
    log,
    secretKey: secrets.secretKey,
    publicUrl: config.publicUrl,
    received,
    now,
    changed,
  });
  return {
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    ...secrets,
    pages: sandboxPages({ database, received, now, flush: delivery.flush }),
    deliverTo: (other) => {
      send = other;
    },
    settle: delivery.flush,
    close: async () => {
      await delivery.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(20_000) });
  return response.ok;
}

type Secrets = { secretKey: string; webhookSecret: string; connectWebhookSecret: string };

async function loadSecrets(database: Database): Promise<Secrets> {
  const fresh: Secrets = {
    secretKey: `sk_test_sandbox${randomBytes(18).toString("hex")}`,
    webhookSecret: `whsec_${randomBytes(24).toString("hex")}`,
    connectWebhookSecret: `whsec_${randomBytes(24).toString("hex")}`,
  };
  return (await database.transaction((tx) => keepSecrets(tx, fresh))) as Secrets;
}
