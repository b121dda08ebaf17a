import Stripe from "stripe";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { paymentsHarness } from "#test/harness/payments.ts";
import { sandboxClient, wantedSession } from "#test/harness/provider/sandbox-client.ts";
import { stripeSchemas } from "#test/harness/provider/stripe-schemas.ts";

const app = closeAfterFile(await paymentsHarness());
const stripe = sandboxClient(app);
/** Makes a paid session with a saved card. `later`: the result of its next charge. */
async function kept(later: string) {
  const session = await stripe.checkout.sessions.create(
    wantedSession(app.clock, {
      customer_creation: "always",
      custom_text: { submit: { message: "The balance is charged to this card." } },
      payment_intent_data: { setup_future_usage: "off_session", metadata: { intent_id: "intent-1" } },
      customer_email: "hannah@example.test",
    }),
    { idempotencyKey: `kept-${Math.random()}` },
  );
  await app.press(session.url ?? "", "pay", later);
  return session.id;
}

async function keptParts(id: string) {
  const session = await stripe.checkout.sessions.retrieve(id, {
    expand: ["payment_intent.payment_method", "customer"],
  });
  const intent = session.payment_intent as Stripe.PaymentIntent;
  const method = intent.payment_method as Stripe.PaymentMethod;
  return { session, intent, method, customer: (session.customer as Stripe.Customer).id };
}

const chargeOf = (customer: string, method: string): Stripe.PaymentIntentCreateParams => ({
  amount: 112_500,
  currency: "usd",
  customer,
  payment_method: method,
  off_session: true,
  confirm: true,
});

test("saves a card by consent, charges it once per key, and deletes it", async () => {
  const session = await kept("works");
  const { customer, intent, method } = await keptParts(session);
  expect(intent.setup_future_usage).toBe("off_session");
  expect(method.card).toMatchObject({ brand: "visa", last4: "4242" });
  const charge = { ...chargeOf(customer, method.id), metadata: { intent_id: "intent-9" } };
  const options = { idempotencyKey: `charge ${customer}` };
  const [one, two] = await Promise.all([
    stripe.paymentIntents.create(charge, options),
    stripe.paymentIntents.create(charge, options),
  ]);
  expect([one.status, two.id]).toEqual(["succeeded", one.id]);
  await expect(stripe.paymentIntents.create({ ...charge, amount: 500 }, options)).rejects.toMatchObject({
    type: "StripeIdempotencyError",
  });
  const listed = await stripe.paymentIntents.list({ customer });
  expect(listed.data.map(({ id }) => id).toSorted()).toEqual([one.id, intent.id].toSorted());
  await expect(stripe.paymentIntents.cancel(one.id)).rejects.toMatchObject({ statusCode: 400 });
  expect((await stripe.paymentMethods.detach(method.id)).customer).toBeNull();
  await expect(stripe.paymentMethods.detach(method.id)).rejects.toMatchObject({ statusCode: 400 });
  const later = stripe.paymentIntents.create(charge, { idempotencyKey: `later ${customer}` });
  await expect(later).rejects.toMatchObject({ statusCode: 400 });
});

test.each(["card_declined", "authentication_required", "expired_card"])(
  "declines a later charge with %s, and counts a repeat under the same key as one attempt",
  async (code) => {
    const { customer, method } = await keptParts(await kept(code));
    const options = { idempotencyKey: `refused ${customer}` };
    const refused = async () =>
      stripe.paymentIntents.create(chargeOf(customer, method.id), options).catch((error: unknown) => error);
    const first = (await refused()) as Stripe.errors.StripeCardError;
    expect(first).toMatchObject({ type: "StripeCardError", statusCode: 402, code });
    expect(first.payment_intent).toMatchObject({ status: "requires_payment_method" });
    const again = (await refused()) as Stripe.errors.StripeCardError;
    expect(again.payment_intent?.id).toBe(first.payment_intent?.id);
    expect((await stripe.paymentIntents.list({ customer })).data).toHaveLength(2);
    const canceled = await stripe.paymentIntents.cancel(first.payment_intent?.id ?? "");
    expect(canceled.status).toBe("canceled");
  },
);

test("lists the payments of a customer page by page, regardless of other customers' newer payments", async () => {
  const { customer } = await keptParts(await kept("works"));
  const others = await Promise.all([kept("works"), kept("works")]);
  expect(others).toHaveLength(2);
  const listed = await stripe.paymentIntents.list({ customer, limit: 1 });
  expect(listed.data.map((intent) => intent.customer)).toEqual([customer]);
  expect(listed.has_more).toBe(false);
});

test("returns objects of a saved card that match the provider's schema", async () => {
  const validators = stripeSchemas();
  const check = (name: string, object: unknown) => {
    const wrong = validators(name)(JSON.parse(JSON.stringify(object)));
    expect({ name, wrong }).toEqual({ name, wrong: [] });
  };
  const { customer, method, intent: keeping, session } = await keptParts(await kept("expired_card"));
  for (const one of [keeping, session]) check(one.object, one);
  check("payment_method", method);
  check("customer", await stripe.customers.retrieve(customer));
  const refused = (await stripe.paymentIntents
    .create(chargeOf(customer, method.id), { idempotencyKey: "shape-4" })
    .catch((error: unknown) => error)) as Stripe.errors.StripeCardError;
  check("payment_intent", refused.payment_intent);
  check("payment_intent", await stripe.paymentIntents.cancel(refused.payment_intent?.id ?? ""));
  check("payment_method", await stripe.paymentMethods.detach(method.id));
  const { db } = app.database;
  const events = await db.selectFrom("sandbox_objects").select("body").where("kind", "=", "event").execute();
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) check("event", event.body);
});
