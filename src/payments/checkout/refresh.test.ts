import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { refreshCheckout } from "../index.ts";

let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness();
});
afterEach(async () => {
  delete app.around.retrieveCheckout;
  await expectSound(app);
});
afterAll(() => app.close());

test("a payment whose webhooks are all lost is found when its success page asks", async () => {
  const { paymentId, url, ref } = await app.start();
  await app.unheard(() => app.press(url, "pay"));
  app.clock.advance(5_000);
  await refreshCheckout(app.services, ref);
  expect((await app.payment(paymentId)).status).toBe("succeeded");
  await refreshCheckout(app.services, "cs_test_of_somebody_else");
});

test("a success page that asks again and again asks the provider once in three seconds, and does not wait for one that does not answer", async () => {
  const { paymentId, ref } = await app.start();
  let calls = 0;
  app.around.retrieveCheckout = () => async (asked) => {
    // Events of an earlier payment may still be on their way.
    if (asked === ref) calls += 1;
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
  app.clock.advance(5_000);
  await Promise.all([1, 2, 3, 4].map(() => refreshCheckout(app.services, ref)));
  expect(calls).toBe(1);
  app.clock.advance(4_000);
  await refreshCheckout(app.services, ref);
  expect(calls).toBe(2);
  expect(await app.payment(paymentId)).toMatchObject({ checkout_state: "open", status: "requires_payment_method" });
});
