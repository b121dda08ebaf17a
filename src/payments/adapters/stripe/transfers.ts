import type Stripe from "stripe";
import type { ProviderReversal, ProviderTransfer, TransferGateway } from "#gateway/transfer-gateway.ts";
import { callStripe, idOf, inSpan, instant, listStripe } from "./stripe-call.ts";

export function stripeTransfers(stripe: Stripe, installation: string): TransferGateway {
  const read = (transfer: Stripe.Transfer) => transferFrom(transfer, installation);
  return {
    createTransfer: ({ transferId, key, bookingId, destination, charge, amount, currency }) =>
      callStripe(async () => {
        const params: Stripe.TransferCreateParams = {
          amount,
          currency,
          destination,
          transfer_group: bookingId,
          metadata: { installation, transfer_id: transferId, booking_id: bookingId },
          ...(charge === null ? {} : { source_transaction: charge }),
        };
        return read(await stripe.transfers.create(params, { idempotencyKey: key }));
      }),
    retrieveTransfer: (ref) => callStripe(async () => read(await stripe.transfers.retrieve(ref))),
    findTransfers: async ({ bookingId, charge }) => {
      const groups = new Set([bookingId]);
      // A transfer belongs to the group of its source charge. If an admin assigned the payment, that is not the booking's.
      if (charge !== null)
        groups.add((await callStripe(() => stripe.charges.retrieve(charge))).transfer_group ?? bookingId);
      const lists = [...groups].map((group) =>
        Array.fromAsync(listStripe(stripe.transfers.list({ transfer_group: group, limit: 100 }))),
      );
      const found = (await Promise.all(lists)).flat();
      return found.filter(({ metadata }) => (metadata["booking_id"] ?? bookingId) === bookingId).map(read);
    },
    async *listTransfers(span) {
      for await (const transfer of listStripe(stripe.transfers.list(inSpan(span)))) yield read(transfer);
    },
    createReversal: ({ reversalId, key, transfer, amount }) =>
      callStripe(async () => {
        const params = { amount, metadata: { installation, reversal_id: reversalId } };
        return reversalFrom(await stripe.transfers.createReversal(transfer, params, { idempotencyKey: key }));
      }),
    findReversals: (transfer) =>
      Array.fromAsync(listStripe(stripe.transfers.listReversals(transfer, { limit: 100 })), reversalFrom),
  };
}

const transferFrom = (transfer: Stripe.Transfer, installation: string): ProviderTransfer => ({
  ref: transfer.id,
  transferId: transfer.metadata["installation"] === installation ? (transfer.metadata["transfer_id"] ?? null) : null,
  destination: idOf(transfer.destination),
  amount: transfer.amount,
  currency: transfer.currency,
  reversed: transfer.amount_reversed,
  createdAt: instant(transfer.created),
});

const reversalFrom = (reversal: Stripe.TransferReversal): ProviderReversal => ({
  ref: reversal.id,
  reversalId: reversal.metadata?.["reversal_id"] ?? null,
  transfer: idOf(reversal.transfer) ?? "",
  amount: reversal.amount,
  currency: reversal.currency,
});
