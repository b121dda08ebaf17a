import type Stripe from "stripe";
import { firstRowOf, type Tx } from "#platform/db/index.ts";
import { type Call, listOf, requireObject, retrieve, type Route, route } from "../lookup.ts";
import { newId } from "../objects.ts";
import { badParam, requireText, optionalText, ProviderError, textValues, requireInteger } from "../params.ts";
import { enqueueEvent, saveObject } from "../store.ts";
import { reversalOf, transferBalanceOf, transferOf } from "./objects.ts";

const createTransfer: Call = async ({ tx, params, now }) => {
  const amount = requireInteger(params, "amount");
  const account = await requireObject(tx, "account", requireText(params, "destination"), "destination");
  if (account.stage !== "completed")
    throw new ProviderError(
      400,
      "invalid_request_error",
      "Your destination account needs to have at least one of the following capabilities enabled: transfers.",
      { code: "insufficient_capabilities_for_transfer", param: "destination" },
    );
  const charge = await requireObject(tx, "charge", requireText(params, "source_transaction"), "source_transaction");
  const currency = requireText(params, "currency");
  if (!charge.paid || typeof charge.balance_transaction !== "string")
    throw badParam("source_transaction", "The charge must be paid.");
  const settled = await requireObject(tx, "balance_transaction", charge.balance_transaction, "source_transaction");
  if (settled.currency !== currency)
    throw badParam(
      "source_transaction",
      `The currency of source_transaction's balance transaction (${settled.currency}) must be the same as the transfer currency (${currency})`,
    );
  const left = settled.amount - (await transferredFrom(tx, charge.id));
  if (amount === 0 || amount > left)
    throw badParam(
      "amount",
      `Transfers using this transaction as a source must not exceed the source amount. There is ${left} left.`,
      "balance_insufficient",
    );
  const transferGroup = charge.transfer_group ?? `group_${String(charge.payment_intent)}`;
  const transfer = transferOf({
    id: newId("tr"),
    created: now,
    amount,
    currency,
    destination: account.id,
    source_transaction: charge.id,
    transfer_group: transferGroup,
    metadata: textValues(params, "metadata"),
  });
  const balance = transferBalanceOf(transfer);
  await saveObject(tx, "balance_transaction", balance);
  await saveObject(tx, "transfer", transfer);
  await saveObject(tx, "charge", { ...charge, transfer_group: transferGroup });
  await enqueueEvent(tx, "transfer.created", transfer, now);
  return transfer;
};

async function transferredFrom(tx: Tx, charge: string): Promise<number> {
  const row = await firstRowOf<{ sum: string }>(tx)`
    select coalesce(sum((body->>'amount')::int - (body->>'amount_reversed')::int), 0) as sum
    from sandbox_objects where kind = 'transfer' and body->>'source_transaction' = ${charge}`;
  return Number(row?.sum ?? 0);
}

const createReversal: Call = async ({ tx, params, id, now }) => {
  const transfer = await requireObject(tx, "transfer", id, "transfer");
  const left = transfer.amount - transfer.amount_reversed;
  const amount = optionalText(params, "amount") === null ? left : requireInteger(params, "amount");
  if (amount === 0 || amount > left)
    throw badParam(
      "amount",
      `Reversal amount (${amount}) is greater than unreversed amount (${left})`,
      "amount_too_large",
    );
  const reversal = reversalOf(transfer, { created: now, amount, metadata: textValues(params, "metadata") });
  const after: Stripe.Transfer = {
    ...transfer,
    amount_reversed: transfer.amount_reversed + amount,
    reversed: amount === left,
    reversals: { ...transfer.reversals, data: [reversal, ...transfer.reversals.data] },
  };
  const balance = transferBalanceOf(reversal);
  await saveObject(tx, "balance_transaction", balance);
  await saveObject(tx, "transfer", after);
  await enqueueEvent(tx, "transfer.reversed", after, now);
  return reversal;
};

export const transferCalls: readonly Route[] = [
  route("POST /v1/transfers", createTransfer),
  listOf("/v1/transfers", "transfer", { filter: "transfer_group" }),
  retrieve("/v1/transfers", "transfer"),
  route("POST /v1/transfers/:id/reversals", createReversal),
  route(
    "GET /v1/transfers/:id/reversals",
    async ({ tx, id }) => (await requireObject(tx, "transfer", id, "transfer")).reversals,
  ),
];
