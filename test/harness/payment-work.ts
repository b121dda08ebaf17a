/** Jobs of payments, for tests of other modules. */

import { ProviderFailure } from "#gateway/gateway.ts";
import { submitRefunds } from "#payments/jobs.ts";
import { syncRefund } from "#payments/refunds/refunds.ts";
import type { Tx } from "#platform/db/index.ts";
import type { TestApp } from "#test/test-app.ts";

export { stripeGateway } from "#payments/adapters/stripe/gateway.ts";
export { claimCharge } from "#payments/cards/charges.store.ts";
export { chargeSavedCards } from "#payments/cards/charges.ts";
export { removeSavedCards } from "#payments/cards/saved-cards.ts";
export { makePayouts, submitRefunds, watchCheckouts } from "#payments/jobs.ts";
export { planRefund, syncRefund } from "#payments/refunds/refunds.ts";
export { recordRefundPaidOutside } from "#payments/refunds/refused-refunds.ts";
export { refundUnmatched } from "#payments/sync/sync.ts";
export { lockChargesLeft, republishFailedRefunds } from "#payments/stores/refunds.store.ts";

/** Records a refund (minor units) of a booking's only payment that was made in the provider's dashboard. */
export async function recordDashboardRefund(tx: Tx, bookingId: string, { amount, now }: { amount: number; now: Date }) {
  const { provider_payment: providerPayment, currency } = await tx
    .selectFrom("payments")
    .select(["provider_payment", "currency"])
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const made = { ref: `re_${bookingId}`, refundId: null, providerPayment, amount, currency, createdAt: now } as const;
  return syncRefund(tx, { ...made, state: "succeeded", reason: null, settled: null }, now);
}

/** Sends the due refunds to a provider that refuses each permanently. */
export async function refuseRefunds({ services }: TestApp): Promise<void> {
  const { gateway } = services;
  const createRefund = () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  await submitRefunds({ ...services, gateway: gateway && { ...gateway, createRefund } });
}
