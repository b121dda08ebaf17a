import type Stripe from "stripe";
import { BankDecline, type Call, listOf, requireObject, retrieve, type Route, route } from "../lookup.ts";
import { intentOf, newId } from "../objects.ts";
import {
  badParam,
  requireText,
  optionalText,
  type Params,
  ProviderError,
  textValues,
  requireInteger,
  requireChargeable,
} from "../params.ts";
import { enqueueEvent, saveObject } from "../store.ts";
import { approve, decline } from "./attempts.ts";
import { laterBehaviourOf, laterField } from "./card-objects.ts";

const createCharge: Call = async (request) => {
  const { tx, params, now } = request;
  const wanted = readCharge(params);
  const customer = await requireObject(tx, "customer", requireText(params, "customer"), "customer");
  const method = await requireObject(tx, "payment_method", requireText(params, "payment_method"), "payment_method");
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
  if (later === "works") return approve(tx, intent, request);
  const failed = await decline(tx, intent, { now, code: later });
  return new BankDecline({ ...failed.last_payment_error, payment_intent: failed });
};

function readCharge(params: Params) {
  if (requireText(params, "confirm") !== "true" || requireText(params, "off_session") !== "true")
    throw badParam("confirm", "The sandbox takes charges of kept cards only.", "parameter_unknown");
  const amount = requireInteger(params, "amount");
  const currency = requireText(params, "currency").toLowerCase();
  requireChargeable({ amount, currency }, "amount", "Amount");
  const transferGroup = optionalText(params, "transfer_group");
  return { amount, currency, email: null, intentMetadata: textValues(params, "metadata"), transferGroup };
}

const cancelIntent: Call = async ({ tx, id, now }) => {
  const intent = await requireObject(tx, "payment_intent", id, "intent");
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw new ProviderError(
      400,
      "invalid_request_error",
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      { code: "payment_intent_unexpected_state" },
    );
  const canceled: Stripe.PaymentIntent = { ...intent, status: "canceled", canceled_at: now };
  await saveObject(tx, "payment_intent", canceled);
  await enqueueEvent(tx, "payment_intent.canceled", canceled, now);
  return canceled;
};

const detach: Call = async ({ tx, id, now }) => {
  const method = await requireObject(tx, "payment_method", id, "payment_method");
  if (method.customer === null)
    throw badParam(
      "payment_method",
      "The payment method you provided is not attached to a customer so detachment is impossible.",
      "payment_method_unexpected_state",
    );
  const detached: Stripe.PaymentMethod = { ...method, customer: null };
  await saveObject(tx, "payment_method", detached);
  await enqueueEvent(tx, "payment_method.detached", detached, now);
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
