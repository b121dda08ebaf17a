import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";

const missing = () => Promise.reject(new ProviderFailure("missing", "no such object"));

/** Returns the provider as it answers to the key of another account of it, which knows nothing of the first one. */
export const otherAccountOf = (gateway: PaymentGateway): PaymentGateway => ({
  ...gateway,
  retrievePayment: missing,
  createRefund: missing,
  retrieveRefund: missing,
  findRefunds: missing,
  retrieveAccount: missing,
  createTransfer: missing,
  retrieveTransfer: missing,
  // A search for a group is answered with an empty list. The charge is retrieved.
  findTransfers: async ({ charge }) => (charge === null ? [] : missing()),
  createReversal: missing,
  findReversals: missing,
});
