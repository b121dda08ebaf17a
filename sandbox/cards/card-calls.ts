import type Stripe from "stripe";
import { maxAmount } from "#platform/money.rules.ts";
import { currencies, isCurrency } from "#payments/rules.ts";
import { type CallRequest, BankDecline, type Call, listOf, need, retrieve, type Route, route } from "../lookup.ts";
import { chargeOf, intentOf, newId } from "../objects.ts";
import { badParam, must, optionalText, type Params, ProviderError, textValues, whole } from "../params.ts";
import { enqueueEvent, payNow, put, putPaid } from "../store.ts";
import { laterBehaviourOf, laterField, declines } from "./card-objects.ts";

const createCharge: Call = async (request) => {
  const { tx, params, now, apiVersion, received } = request;
  const wanted = readCharge(params);
  const customer = await need(tx, "customer", must(params, "customer"), "customer");
  const method = await need(tx, "payment_method", must(params, "payment_method"), "payment_method");
  if (method.customer !== customer.id)
    throw badParam(
      "payment_method",
      "The provided PaymentMethod cannot be attached. To reuse a PaymentMethod, you must attach it to a Customer first.",
      "payment_method_unexpected_state",
    );
  const intent: Stripe.PaymentIntent = {
    ...intentOf(wanted, newId("pi"), now),
    customer: customer.id,
    payment_method: method.id,
    description: optionalText(params, "description"),
  };
  const later = laterBehaviourOf(method.metadata?.[laterField]);
  if (later !== "works") return refuse(request, intent, later);
  const paid = payNow(wanted, intent, newId("ch"), now, received);
  await putPaid(tx, paid, now);
  await enqueueEvent(tx, "charge.succeeded", paid.charge, now, apiVersion);
  await enqueueEvent(tx, "payment_intent.succeeded", paid.intent, now, apiVersion);
  return paid.intent;
};

function readCharge(params: Params) {
  if (must(params, "confirm") !== "true" || must(params, "off_session") !== "true")
    throw badParam("confirm", "The sandbox takes charges of kept cards only.", "parameter_unknown");
  const amount = whole(params, "amount");
  const currency = must(params, "currency").toLowerCase();
  if (!isCurrency(currency)) throw badParam("currency", `Invalid currency: ${currency}.`, "parameter_invalid");
  if (amount < currencies[currency].min) throw badParam("amount", "Amount is too small.", "amount_too_small");
  if (amount > maxAmount) throw badParam("amount", "Amount is too large.", "amount_too_large");
  const transferGroup = optionalText(params, "transfer_group");
  return { amount, currency, email: null, intentMetadata: textValues(params, "metadata"), transferGroup };
}

/** Declines a payment: stores the intent and its failed charge, and returns an error with the intent. */
async function refuse(
  { tx, now, apiVersion }: CallRequest,
  intent: Stripe.PaymentIntent,
  code: keyof typeof declines,
): Promise<BankDecline> {
  const { message, decline_code } = declines[code];
  const charge: Stripe.Charge = {
    ...chargeOf(intent, newId("ch"), now, false, null),
    failure_code: code,
    failure_message: message,
  };
  const error = {
    type: "card_error" as const,
    code,
    message,
    charge: charge.id,
    ...(decline_code ? { decline_code } : {}),
  };
  const failed: Stripe.PaymentIntent = {
    ...intent,
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: error,
  };
  await put(tx, "charge", charge.id, now, charge);
  await put(tx, "payment_intent", failed.id, now, failed);
  await enqueueEvent(tx, "charge.failed", charge, now, apiVersion);
  await enqueueEvent(tx, "payment_intent.payment_failed", failed, now, apiVersion);
  return new BankDecline({ ...error, payment_intent: failed });
}

const cancelIntent: Call = async ({ tx, id, now, apiVersion }) => {
  const intent = await need(tx, "payment_intent", id, "intent");
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw new ProviderError(
      400,
      "invalid_request_error",
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      { code: "payment_intent_unexpected_state" },
    );
  const canceled: Stripe.PaymentIntent = { ...intent, status: "canceled", canceled_at: now };
  await put(tx, "payment_intent", id, intent.created, canceled);
  await enqueueEvent(tx, "payment_intent.canceled", canceled, now, apiVersion);
  return canceled;
};

const detach: Call = async ({ tx, id, now, apiVersion }) => {
  const method = await need(tx, "payment_method", id, "payment_method");
  if (method.customer === null)
    throw badParam(
      "payment_method",
      "The payment method you provided is not attached to a customer so detachment is impossible.",
      "payment_method_unexpected_state",
    );
  const detached: Stripe.PaymentMethod = { ...method, customer: null };
  await put(tx, "payment_method", id, method.created, detached);
  await enqueueEvent(tx, "payment_method.detached", detached, now, apiVersion);
  return detached;
};

export const cardCalls: readonly Route[] = [
  route("POST /v1/payment_intents", createCharge),
  listOf("/v1/payment_intents", "payment_intent", { filter: "customer" }),
  route("POST /v1/payment_intents/:id/cancel", cancelIntent),
  retrieve("/v1/customers", "customer"),
  retrieve("/v1/payment_methods", "payment_method"),
  route("POST /v1/payment_methods/:id/detach", detach),
];
