import type Stripe from "stripe";

export type WantedTransfer = {
  id: string;
  created: number;
  amount: number;
  currency: string;
  destination: string;
  charge: string | null;
  group: string | null;
  metadata: Record<string, string>;
  balance: string;
};

export const transferOf = (wanted: WantedTransfer): Stripe.Transfer => ({
  id: wanted.id,
  object: "transfer",
  amount: wanted.amount,
  amount_reversed: 0,
  balance_transaction: wanted.balance,
  created: wanted.created,
  currency: wanted.currency,
  description: null,
  destination: wanted.destination,
  livemode: false,
  metadata: wanted.metadata,
  reversals: { object: "list", data: [], has_more: false, url: `/v1/transfers/${wanted.id}/reversals` },
  reversed: false,
  source_transaction: wanted.charge,
  source_type: "card",
  transfer_group: wanted.group,
});

export const reversalOf = (
  transfer: Stripe.Transfer,
  given: { id: string; created: number; amount: number; metadata: Record<string, string>; balance: string },
): Stripe.TransferReversal => ({
  id: given.id,
  object: "transfer_reversal",
  amount: given.amount,
  balance_transaction: given.balance,
  created: given.created,
  currency: transfer.currency,
  destination_payment_refund: null,
  metadata: given.metadata,
  source_refund: null,
  transfer: transfer.id,
});

export function transferBalanceOf(source: Stripe.Transfer | Stripe.TransferReversal): Stripe.BalanceTransaction {
  const isTransfer = source.object === "transfer";
  const amount = isTransfer ? -source.amount : source.amount;
  return {
    id: typeof source.balance_transaction === "string" ? source.balance_transaction : "",
    object: "balance_transaction",
    amount,
    available_on: source.created,
    balance_type: "payments",
    created: source.created,
    currency: source.currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: isTransfer ? "transfer" : "transfer_reversal",
    source: source.id,
    status: "available",
    type: isTransfer ? "transfer" : "transfer_refund",
  };
}
