import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectSound, type PaymentsWorld, paymentsWorld } from "#test/payments.ts";
import { ProviderFailure } from "../gateway.ts";
import { refreshCheckout } from "../index.ts";

let w: PaymentsWorld;
beforeAll(async () => {
  w = await paymentsWorld();
});
afterEach(async () => {
  delete w.around.retrieveCheckout;
  await expectSound(w);
});
afterAll(() => w.close());

test("a payment whose webhooks are all lost is found when its success page asks", async () => {
  const { paymentId, url, ref } = await w.start();
  await w.unheard(() => w.press(url, "pay"));
  w.clock.advance(5_000);
  await refreshCheckout(w.services, ref);
  expect((await w.payment(paymentId)).status).toBe("succeeded");
  await refreshCheckout(w.services, "cs_test_of_somebody_else");
});

test("a success page that asks again and again asks the provider once in three seconds, and outlives its silence", async () => {
  const { paymentId, ref } = await w.start();
  let calls = 0;
  w.around.retrieveCheckout = () => async (asked) => {
    // Events of an earlier payment may still be on their way.
    if (asked === ref) calls += 1;
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
  w.clock.advance(5_000);
  await Promise.all([1, 2, 3, 4].map(() => refreshCheckout(w.services, ref)));
  expect(calls).toBe(1);
  w.clock.advance(4_000);
  await refreshCheckout(w.services, ref);
  expect(calls).toBe(2);
  expect(await w.payment(paymentId)).toMatchObject({ checkout_state: "open", status: "requires_payment_method" });
});
