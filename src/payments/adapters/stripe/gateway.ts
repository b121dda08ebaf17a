/** The payment gateway through Stripe's SDK. The sandbox is called through the same SDK with another host. */

import Stripe from "stripe";
import {
  type ProviderCheckout,
  type CheckoutRequest,
  type Money,
  type ProviderPayment,
  type PaymentGateway,
  type ProviderRefund,
  type Span,
} from "#gateway/gateway.ts";
import { stripeAccounts } from "./accounts.ts";
import { cardFromIntent, stripeCards } from "./cards.ts";
import { stripeDisputes } from "./disputes.ts";
import { markedBy, markFields, markOf, ownPaymentId } from "./mark.ts";
import { callStripe, idOf, inSpan, instant, seconds, listStripe, unlessRefused } from "./stripe-call.ts";
import { stripeTransfers } from "./transfers.ts";
import { stripeWebhooks, type WebhookSecrets } from "./webhooks.ts";

type StripeOptions = WebhookSecrets &
  Readonly<{
    name: string;
    secretKey: string;
    /** Metadata value on every object of this installation. Objects of another installation are neither compared nor refunded. */
    installation: string;
    at?: { host: string; port: number; protocol: "http" | "https" };
  }>;

const intentParts = ["latest_charge.balance_transaction", "payment_method"] as const;
const expandedUnder = (path: string) => intentParts.map((part) => `${path}.${part}`);

/** Creates the gateway. Calls are repeated twice on lost connections, with the same idempotency key. */
export function stripeGateway(options: StripeOptions): PaymentGateway {
  const stripe = new Stripe(options.secretKey, {
    ...options.at,
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
  });
  const { installation } = options;
  const { sessions } = stripe.checkout;
  const readCheckout = (session: Stripe.Checkout.Session) => checkoutFrom(session, installation);
  const readPayment = (intent: Stripe.PaymentIntent) => paymentFrom(intent, installation);
  const retrievePayment = (ref: string) =>
    callStripe(async () => readPayment(await stripe.paymentIntents.retrieve(ref, { expand: [...intentParts] })));

  const retrieveCheckout = (ref: string) =>
    callStripe(async () => readCheckout(await sessions.retrieve(ref, { expand: expandedUnder("payment_intent") })));

  async function* listCheckouts(span: Span) {
    const list = sessions.list({ ...inSpan(span), expand: expandedUnder("data.payment_intent") });
    for await (const session of listStripe(list)) yield readCheckout(session);
  }

  async function* listRefunds(span: Span) {
    const list = stripe.refunds.list({ ...inSpan(span), expand: ["data.balance_transaction"] });
    for await (const refund of listStripe(list)) yield refundFrom(refund);
  }

  return {
    name: options.name,
    live: options.live,
    ...stripeAccounts(stripe, installation),
    ...stripeDisputes(stripe),
    ...stripeTransfers(stripe, installation),
    ...stripeWebhooks(stripe, options),
    ...stripeCards(stripe, { installation, expand: intentParts, read: readPayment, retrieve: retrievePayment }),
    retrievePayment,
    createCheckout: (request) =>
      callStripe(async () =>
        readCheckout(
          await sessions.create(sessionParams(request, installation), { idempotencyKey: request.paymentId }),
        ),
      ),
    retrieveCheckout,
    findCheckouts: async (paymentId, span) =>
      (await Array.fromAsync(listCheckouts(span))).filter((reported) => reported.paymentId === paymentId),
    expireCheckout: async (ref) => {
      // A refused checkout is no longer open. Its state contains the reason.
      await unlessRefused(() => sessions.expire(ref));
      return retrieveCheckout(ref);
    },
    listCheckouts,
    createRefund: ({ refundId, key, providerPayment, amount }) =>
      callStripe(async () => {
        const params = {
          payment_intent: providerPayment,
          amount,
          metadata: { refund_id: refundId },
          expand: ["balance_transaction"],
        };
        return refundFrom(await stripe.refunds.create(params, { idempotencyKey: key }));
      }),
    retrieveRefund: (ref) =>
      callStripe(async () => refundFrom(await stripe.refunds.retrieve(ref, { expand: ["balance_transaction"] }))),
    findRefunds: (providerPayment) =>
      callStripe(async () => {
        const { data } = await stripe.refunds.list({
          payment_intent: providerPayment,
          limit: 100,
          expand: ["data.balance_transaction"],
        });
        return data.map(refundFrom);
      }),
    listRefunds,
  };
}

function sessionParams(request: CheckoutRequest, installation: string): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    ...markFields(request, installation),
    ...(request.details.length > 1
      ? Object.fromEntries(request.details.map((line, at) => [`detail_${at + 1}`, line]))
      : {}),
  };
  return {
    mode: "payment",
    // Cards only. The money has arrived when the payer returns, so no hold waits for a delayed payment.
    allowed_payment_method_types: ["card"],
    // The payer pays the sum of booking, contract and receipt in its currency, regardless of the account's setting.
    adaptive_pricing: { enabled: false },
    client_reference_id: request.paymentId,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: request.currency,
          unit_amount: request.amount,
          product_data: {
            name: request.title || "Booking",
            ...(request.details.length > 0 ? { description: request.details.join(", ") } : {}),
            // Stripe fetches images itself and cannot reach a private address.
            ...(request.imageUrl ? { images: [request.imageUrl] } : {}),
          },
        },
      },
    ],
    payment_intent_data: {
      transfer_group: request.bookingId,
      metadata,
      ...(request.saveCardNotice ? { setup_future_usage: "off_session" as const } : {}),
    },
    // Each booking has its own customer, so a card saved for one booking cannot be charged for another.
    ...(request.saveCardNotice ? { customer_creation: "always" as const } : {}),
    ...besideButton(request),
    ...(request.payerEmail ? { customer_email: request.payerEmail } : {}),
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    expires_at: seconds(request.expiresAt),
  };
}

/** Returns the text beside the payment button. Stripe renders a Markdown link as a link. */
function besideButton({ saveCardNotice, contractUrl }: CheckoutRequest) {
  const message = [saveCardNotice, contractUrl && `[Read the full contract](${contractUrl})`].filter(Boolean).join(" ");
  return message ? { custom_text: { submit: { message } } } : {};
}

function checkoutFrom(session: Stripe.Checkout.Session, installation: string): ProviderCheckout {
  const intent = typeof session.payment_intent === "object" ? session.payment_intent : null;
  const attempt = intent ? paymentFrom(intent, installation) : null;
  const by = markedBy(session.metadata, installation);
  return {
    ref: session.id,
    markedBy: by === "nobody" ? (attempt?.markedBy ?? by) : by,
    paymentId: ownPaymentId(session.metadata, installation) === null ? null : session.client_reference_id,
    state: stateOf(session, attempt),
    url: session.url,
    createdAt: instant(session.created),
    expiresAt: instant(session.expires_at),
    money: attempt?.money ?? null,
    reason: attempt?.reason ?? null,
    card: attempt?.card ?? null,
    mark: markOf(session.metadata, installation),
  };
}

function stateOf(session: Stripe.Checkout.Session, attempt: ProviderPayment | null): ProviderCheckout["state"] {
  if (attempt?.state === "paid") return "paid";
  if (session.status === "expired") return "ended";
  if (session.status === "open") return "open";
  return attempt?.state === "failed" ? "failed" : "processing";
}

function paymentFrom(intent: Stripe.PaymentIntent, installation: string): ProviderPayment {
  const failed =
    intent.status === "canceled" || (intent.status === "requires_payment_method" && intent.last_payment_error !== null);
  return {
    ref: intent.id,
    markedBy: markedBy(intent.metadata, installation),
    paymentId: ownPaymentId(intent.metadata, installation),
    state: intent.status === "succeeded" ? "paid" : failed ? "failed" : "pending",
    money: intent.status === "succeeded" ? moneyOf(intent) : null,
    reason: intent.last_payment_error?.message ?? null,
    code: intent.last_payment_error?.code ?? null,
    card: cardFromIntent(intent),
    mark: markOf(intent.metadata, installation),
  };
}

function moneyOf(intent: Stripe.PaymentIntent): Money {
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const balance = typeof charge?.balance_transaction === "object" ? charge.balance_transaction : null;
  return {
    providerPayment: intent.id,
    charge: idOf(intent.latest_charge),
    amount: intent.amount_received,
    currency: intent.currency,
    live: intent.livemode,
    at: instant(charge?.created ?? intent.created),
    fee: balance ? { amount: balance.fee, currency: balance.currency } : null,
    settled: balance ? { amount: balance.amount, currency: balance.currency } : null,
  };
}

function refundFrom(refund: Stripe.Refund): ProviderRefund {
  const failed = refund.status === "failed" || refund.status === "canceled";
  const balance = typeof refund.balance_transaction === "object" ? refund.balance_transaction : null;
  return {
    ref: refund.id,
    refundId: refund.metadata?.["refund_id"] ?? null,
    providerPayment: idOf(refund.payment_intent),
    amount: refund.amount,
    currency: refund.currency,
    state: refund.status === "succeeded" ? "succeeded" : failed ? "failed" : "pending",
    reason: refund.failure_reason?.replaceAll("_", " ") ?? null,
    settled: balance && { amount: -balance.amount, currency: balance.currency },
    createdAt: instant(refund.created),
  };
}
