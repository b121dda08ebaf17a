import type Stripe from "stripe";
import { balanceTransaction, newId } from "../objects.ts";

export const transferOf = (
  given: Pick<
    Stripe.Transfer,
    "id" | "created" | "amount" | "currency" | "destination" | "source_transaction" | "transfer_group" | "metadata"
  >,
): Stripe.Transfer => ({
  object: "transfer",
  amount_reversed: 0,
  balance_transaction: newId("txn"),
  description: null,
  livemode: false,
  reversals: { object: "list", data: [], has_more: false, url: `/v1/transfers/${given.id}/reversals` },
  reversed: false,
  source_type: "card",
  ...given,
});

export const reversalOf = (
  transfer: Stripe.Transfer,
  given: Pick<Stripe.TransferReversal, "created" | "amount" | "metadata">,
): Stripe.TransferReversal => ({
  id: newId("trr"),
  object: "transfer_reversal",
  balance_transaction: newId("txn"),
  currency: transfer.currency,
  destination_payment_refund: null,
  source_refund: null,
  transfer: transfer.id,
  ...given,
});

export function transferBalanceOf(source: Stripe.Transfer | Stripe.TransferReversal): Stripe.BalanceTransaction {
  const isTransfer = source.object === "transfer";
  return balanceTransaction({
    id: String(source.balance_transaction),
    amount: isTransfer ? -source.amount : source.amount,
    created: source.created,
    currency: source.currency,
    reporting_category: source.object,
    source: source.id,
    type: isTransfer ? "transfer" : "transfer_refund",
  });
}
