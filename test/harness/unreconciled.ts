/** Money at the provider without a request, as found by reconciliation. */

import { randomUUID } from "node:crypto";
import type { PaymentGateway, Payments, ProviderCheckout } from "#gateway/gateway.ts";
import { reconcile } from "#reconciliation/index.ts";
import type { TestApp } from "#test/test-app.ts";

/** Returns the sandbox's report of a payment without our metadata. The sandbox supports it like any other. */
export function foreignMoney(app: TestApp, amount: number, currency = "usd") {
  const at = app.clock.now();
  const id = `00000000${randomUUID().replaceAll("-", "").slice(8)}`;
  const tail = `${currency}_${amount}_${Math.floor(at.getTime() / 1000)}_${id}`;
  const money = {
    providerPayment: `pi_demo_${tail}`,
    charge: `ch_demo_${tail}`,
    amount,
    currency,
    live: false,
    at,
    fee: null,
    settled: null,
  };
  return {
    ref: `cs_demo_${tail}`,
    paymentId: null,
    markedBy: "nobody",
    state: "paid",
    url: null,
    createdAt: at,
    expiresAt: at,
    money,
    reason: null,
  } as const;
}

/** Returns services whose provider lists these checkouts in addition. */
export function withForeign(app: TestApp, ...found: readonly ProviderCheckout[]): Payments {
  const real = app.services.gateway as PaymentGateway;
  async function* listCheckouts(span: Parameters<PaymentGateway["listCheckouts"]>[0]) {
    yield* real.listCheckouts(span);
    yield* found;
  }
  return { ...app.services, gateway: { ...real, listCheckouts } };
}

/** Lets reconciliation find such a payment. Returns the id of its item. */
export async function findForeignMoney(app: TestApp, amount: number): Promise<string> {
  const reported = foreignMoney(app, amount);
  await reconcile(withForeign(app, reported));
  const { id } = await app.database.db
    .selectFrom("unreconciled_items")
    .select("id")
    .where("ref", "=", reported.money.providerPayment)
    .executeTakeFirstOrThrow();
  return id;
}
