import { afterEach, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { refreshCheckout } from "../index.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.retrieveCheckout;
  await expectSound(app);
});

test("applies a payment whose webhooks are all lost when its success page requests it", async () => {
  const { paymentId, url, ref } = await app.start();
  await app.unheard(() => app.press(url, "pay"));
  app.clock.advance(5_000);
  await refreshCheckout(app.services, ref);
  expect((await app.payment(paymentId)).status).toBe("succeeded");
  await refreshCheckout(app.services, "cs_test_of_somebody_else");
});

test("queries the provider at most once in three seconds, and tolerates a failed call", async () => {
  const { paymentId, ref } = await app.start();
  let calls = 0;
  app.around.retrieveCheckout = () => async (requestedRef) => {
    if (requestedRef === ref) calls += 1;
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
