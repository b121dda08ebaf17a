/** Syncs what was fetched from the provider in a transaction of its own, and wakes the event outbox. */

import type { PaymentGateway, Payments, ProviderCheckout, ProviderPayment } from "#gateway/gateway.ts";
import { endCheckout, lockPayment, type Payment } from "../store.ts";
import { syncCheckout, type SyncContext, syncPayment, type SyncResult } from "./sync.ts";

export const syncContextOf = ({ clock }: Payments, { name: provider, live }: PaymentGateway): SyncContext => ({
  now: clock.now(),
  provider,
  live,
});

export async function recordPayment(
  services: Payments,
  gateway: PaymentGateway,
  reported: ProviderPayment,
): Promise<SyncResult> {
  const context = syncContextOf(services, gateway);
  const result = await services.database.transaction((tx) => syncPayment(tx, reported, context));
  services.wake();
  return result;
}

export async function recordCheckout(
  services: Payments,
  gateway: PaymentGateway,
  reported: ProviderCheckout,
): Promise<SyncResult> {
  const sync = (state: ProviderCheckout) =>
    services.database.transaction((tx) => syncCheckout(tx, state, syncContextOf(services, gateway)));
  const result = await sync(reported);
  services.wake();
  return result === "orphan" ? sync(await gateway.expireCheckout(reported.ref)) : result;
}

/** Ends a payment that the provider does not know, unless its state has changed since it was read. */
export async function recordEnd(services: Payments, known: Payment, reason: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const payment = await lockPayment(tx, known.id);
    if (payment?.checkout_state === known.checkout_state) await endCheckout(tx, payment, reason, services.clock.now());
  });
  services.wake();
}
