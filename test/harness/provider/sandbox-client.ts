import Stripe from "stripe";
import { addresses, type PaymentsHarness } from "../payments.ts";

export function sandboxOf(app: PaymentsHarness) {
  if (!app.services.sandbox) throw new Error("demo mode has a sandbox");
  return app.services.sandbox;
}

export function sandboxClient(app: PaymentsHarness): Stripe {
  const { host, port, secretKey } = sandboxOf(app);
  return new Stripe(secretKey, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
}

/** Returns the parameters of a checkout of $375 like our gateway's. `more`: changed parameters. */
export const wantedSession = (
  clock: PaymentsHarness["clock"],
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams => ({
  mode: "payment",
  success_url: addresses.successUrl,
  cancel_url: addresses.cancelUrl,
  client_reference_id: "intent-1",
  metadata: { intent_id: "intent-1" },
  payment_intent_data: { transfer_group: "booking-1", metadata: { intent_id: "intent-1" } },
  line_items: [
    { quantity: 1, price_data: { currency: "usd", unit_amount: 37_500, product_data: { name: "Deposit" } } },
  ],
  expires_at: Math.floor(clock.now().getTime() / 1000) + 1_860,
  ...more,
});
