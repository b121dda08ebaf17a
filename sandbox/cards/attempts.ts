import type Stripe from "stripe";
import type { Currency } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { chargeOf, newId } from "../objects.ts";
import { enqueueEvent, makePaid, saveObject, savePaid } from "../store.ts";
import { declines } from "./card-objects.ts";

export async function approve(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  { now, received }: { now: number; received: readonly Currency[] },
): Promise<Stripe.PaymentIntent> {
  const paid = makePaid(intent, newId("ch"), now, received);
  await savePaid(tx, paid);
  await enqueueEvent(tx, "charge.succeeded", paid.charge, now);
  await enqueueEvent(tx, "payment_intent.succeeded", paid.intent, now);
  return paid.intent;
}

export async function decline(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  { now, code }: { now: number; code: keyof typeof declines },
): Promise<Stripe.PaymentIntent> {
  const reason = { code, ...declines[code] };
  const charge = chargeOf(intent, now, { id: newId("ch"), ...reason });
  const failed: Stripe.PaymentIntent = {
    ...intent,
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { type: "card_error", charge: charge.id, ...reason },
  };
  await saveObject(tx, "charge", charge);
  await saveObject(tx, "payment_intent", failed);
  await enqueueEvent(tx, "charge.failed", charge, now);
  await enqueueEvent(tx, "payment_intent.payment_failed", failed, now);
  return failed;
}
