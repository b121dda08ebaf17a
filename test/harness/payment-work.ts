/** Jobs of payments, for tests of other modules. */

import { ProviderFailure } from "#gateway/gateway.ts";
import { submitRefunds } from "#payments/jobs.ts";
import type { TestApp } from "#test/test-app.ts";

export { stripeGateway } from "#payments/adapters/stripe/gateway.ts";
export { claimCharge } from "#payments/cards/charges.store.ts";
export { chargeSavedCards } from "#payments/cards/charges.ts";
export { removeSavedCards } from "#payments/cards/saved-cards.ts";
export { makePayouts, submitRefunds, watchCheckouts } from "#payments/jobs.ts";
export { planRefund, syncRefund } from "#payments/refunds/refunds.ts";
export { refundUnmatched } from "#payments/sync/sync.ts";
export { lockChargesLeft, republishFailedRefunds } from "#payments/stores/refunds.store.ts";

/** Sends the due refunds to a provider that refuses each permanently. */
export async function refuseRefunds({ services }: TestApp): Promise<void> {
  const { gateway } = services;
  const createRefund = () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  await submitRefunds({ ...services, gateway: gateway && { ...gateway, createRefund } });
}
