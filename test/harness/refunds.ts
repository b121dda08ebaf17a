/** Refunds that the payment provider does not make. */
import { ProviderFailure } from "#gateway/gateway.ts";
import { submitRefunds } from "#payments/index.ts";
import type { TestApp } from "#test/test-app.ts";

/** Sends the refunds that are due to a provider that refuses each for good. */
export async function refuseRefunds({ services }: TestApp): Promise<void> {
  const { gateway } = services;
  const createRefund = () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  await submitRefunds({ ...services, gateway: gateway && { ...gateway, createRefund } });
}
