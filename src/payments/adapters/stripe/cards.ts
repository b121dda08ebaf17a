import Stripe from "stripe";
import type { ProviderCard } from "#gateway/card-gateway.ts";
import { type PaymentGateway, ProviderFailure, type ProviderPayment, unlessMissing } from "#gateway/gateway.ts";
import { markFields } from "./mark.ts";
import { callStripe, idOf, inSpan, listStripe, unlessRefused } from "./stripe-call.ts";

/** Metadata that distinguishes the charge of a saved card from the attempts of a checkout. */
const savedCardMark = { way: "saved_card" } as const;

type Calls = Pick<
  PaymentGateway,
  "chargeCard" | "findCharges" | "listCharges" | "cancelCharge" | "hasSavedCard" | "removeCard"
>;
type Parts = Readonly<{
  installation: string;
  expand: readonly string[];
  read(intent: Stripe.PaymentIntent): ProviderPayment;
  retrieve: PaymentGateway["retrievePayment"];
}>;

export function stripeCards(stripe: Stripe, { installation, expand, read, retrieve }: Parts): Calls {
  const { paymentIntents } = stripe;
  const inList = expand.map((path) => `data.${path}`);
  const isCharge = ({ metadata }: Stripe.PaymentIntent) => metadata["way"] === savedCardMark.way;
  const hasSavedCard = async (method: string): Promise<boolean> => {
    const known = await unlessMissing(callStripe(() => stripe.paymentMethods.retrieve(method)));
    return known !== undefined && known.customer !== null;
  };
  return {
    chargeCard: (charge) =>
      callStripe(async () => {
        const { key, bookingId, amount, currency, title, customer, method } = charge;
        const params: Stripe.PaymentIntentCreateParams = {
          amount,
          currency,
          customer,
          payment_method: method,
          allowed_payment_method_types: ["card"],
          off_session: true,
          confirm: true,
          description: title,
          transfer_group: bookingId,
          metadata: { ...markFields(charge, installation), ...savedCardMark },
          expand: [...expand],
        };
        try {
          return read(await paymentIntents.create(params, { idempotencyKey: key }));
        } catch (error) {
          // A decline by the bank returns 402 with the intent in the error.
          if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return read(error.payment_intent);
          throw error;
        }
      }),
    // The provider's search lags behind its own writes. The list of one customer does not.
    findCharges: async ({ customer }) =>
      (await Array.fromAsync(listStripe(paymentIntents.list({ customer, limit: 100, expand: inList }))))
        .filter(isCharge)
        .map(read),
    async *listCharges(span) {
      for await (const intent of listStripe(paymentIntents.list({ ...inSpan(span), expand: inList })))
        if (isCharge(intent)) yield read(intent);
    },
    cancelCharge: async (ref) => {
      // A refused charge can no longer be canceled. Its state contains the reason.
      await unlessRefused(() => paymentIntents.cancel(ref));
      return retrieve(ref);
    },
    hasSavedCard,
    removeCard: async (method) => {
      try {
        await callStripe(() => stripe.paymentMethods.detach(method));
      } catch (error) {
        if (!(error instanceof ProviderFailure) || (error.kind !== "refused" && error.kind !== "missing")) throw error;
        if (await hasSavedCard(method)) throw error;
      }
    },
  };
}

/** Returns the card that the provider saved with the payer's consent. Null if there is none. */
export function cardFromIntent(intent: Stripe.PaymentIntent): ProviderCard | null {
  const method = typeof intent.payment_method === "object" ? intent.payment_method : null;
  const customer = idOf(intent.customer);
  if (!method?.card || customer === null || intent.setup_future_usage !== "off_session") return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
  // A card without four digits cannot be displayed and is not saved. Its payment is recorded anyway.
  if (!/^\d{4}$/.test(last4 ?? "")) return null;
  return { customer, method: method.id, brand, last4: last4 ?? "", expMonth, expYear };
}
