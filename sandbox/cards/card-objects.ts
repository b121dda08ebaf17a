import type Stripe from "stripe";
import { newId } from "../objects.ts";

/** The result of a saved card's later charge. Chosen on the checkout page, stored in the card's metadata. */
export const laterBehaviours = {
  works: "works",
  card_declined: "is declined",
  authentication_required: "needs authentication",
  expired_card: "has expired",
} as const;
export type LaterBehaviour = keyof typeof laterBehaviours;

export const laterField = "later";

export const laterBehaviourOf = (text: string | null | undefined): LaterBehaviour =>
  text && Object.hasOwn(laterBehaviours, text) ? (text as LaterBehaviour) : "works";

export const declines: Readonly<Record<Exclude<LaterBehaviour, "works">, { message: string; decline_code?: string }>> =
  {
    card_declined: { message: "Your card was declined.", decline_code: "generic_decline" },
    authentication_required: {
      message: "Your card was declined. This transaction requires authentication.",
      decline_code: "authentication_required",
    },
    expired_card: { message: "Your card has expired." },
  };

export const customerOf = (
  given: Readonly<{ created: number; email: string | null; name: string | null }>,
): Stripe.Customer => ({
  id: newId("cus"),
  object: "customer",
  balance: 0,
  created: given.created,
  default_source: null,
  description: null,
  email: given.email,
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  name: given.name,
  shipping: null,
});

export const cardOf = (
  given: Readonly<{ created: number; customer: string; later: LaterBehaviour }>,
): Stripe.PaymentMethod => ({
  id: newId("pm"),
  object: "payment_method",
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  card: {
    brand: "visa",
    checks: null,
    country: "US",
    display_brand: "visa",
    exp_month: 12,
    exp_year: new Date(given.created * 1000).getUTCFullYear() + 4,
    fingerprint: null,
    funding: "credit",
    generated_from: null,
    last4: "4242",
    networks: null,
    regulated_status: null,
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created: given.created,
  customer: given.customer,
  customer_account: null,
  livemode: false,
  metadata: { [laterField]: given.later },
  type: "card",
});
