import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { planRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { otherAccountOf } from "#test/harness/provider/other-account.ts";
import { recordRefundPaidOutside, retryRefund } from "./refused-refunds.ts";
import { refusedRefunds } from "./refused-refunds.views.ts";

const app = closeAfterFile(await paymentsHarness());

type Failure = "none" | "away" | "lost" | "server_error" | "refused";

/** Makes the calls of a provider without webhooks fail before or after their effect. */
function failWith(failure: Failure): void {
  app.around.createRefund = (real) => async (request) => {
    if (failure === "refused") throw new ProviderFailure("refused", "the card is gone");
    if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
    const made = await real.createRefund(request);
    if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
    if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
    return made;
  };
}

/** The job runs with the key of an account, then an admin acts, then time passes. */
const turn = fc.record({
  fail: fc.constantFrom<Failure>("none", "away", "lost", "lost", "lost", "server_error", "refused"),
  isOther: fc.boolean(),
  admin: fc.constantFrom<"nothing" | "retry" | "settle">("nothing", "retry", "settle", "settle"),
  hours: fc.integer({ min: 1, max: 30 }),
});
/** Before, an error of the other account counted as proof that the first call refunded nothing. */
const settledTooEarly = [
  { fail: "lost", isOther: false, admin: "nothing", hours: 1 },
  { fail: "none", isOther: true, admin: "settle", hours: 1 },
] as const;
const runs = Number(process.env["REPLAY_RUNS"] ?? 12);

test(
  "refunds once, and lists what is not refunded, after any history of lost answers and keys of another account",
  { timeout: 120_000 + runs * 8_000 },
  async () => {
    const property = fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 6 }), async (turns) => {
      const { gateway } = app.services;
      if (!gateway) throw new Error("the test has no provider");
      const { paymentId } = await app.paid();
      const { provider_payment: providerPayment } = await app.payment(paymentId);
      const planned: string[] = [];
      for (const amount of [10_000, 5_000]) {
        const plan = { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
        planned.push((await app.inTx((tx) => planRefund(tx, plan))).id);
      }
      const outside: string[] = [];
      const listed = async () => (await refusedRefunds(app.database.db)).filter(({ id }) => planned.includes(id));
      const retry = async () => {
        for (const { id } of (await listed()).filter((one) => one.can_retry))
          await app.inTx((tx) => retryRefund(tx, id, app.clock.now()));
      };
      const settle = async () => {
        for (const { id } of (await listed()).filter((one) => one.can_settle)) {
          const paid = { id, how: "Bank transfer of today.", by: randomUUID(), now: app.clock.now() };
          await app.inTx((tx) => recordRefundPaidOutside(tx, paid));
          outside.push(id);
        }
      };
      const statuses = () =>
        app.database.db.selectFrom("refunds").select(["id", "status"]).where("payment_id", "=", paymentId).execute();
      for (const { fail, isOther, admin, hours } of turns) {
        failWith(fail);
        const services = { ...app.services, gateway: isOther ? otherAccountOf(gateway) : gateway };
        await app.unheard(() => Promise.all([submitRefunds(services), submitRefunds(services)]));
        const failed = (await statuses()).filter(({ status }) => status === "failed").map(({ id }) => id);
        expect((await listed()).map(({ id }) => id).toSorted()).toEqual(failed.toSorted());
        await expectSound(app);
        if (admin === "retry") await retry();
        if (admin === "settle") await settle();
        app.clock.advance(hours * hourMs);
      }
      failWith("none");
      for (let count = 0; count < 3; count++) {
        await retry();
        app.clock.advance(2 * hourMs);
        await submitRefunds(app.services);
      }
      await app.settle();
      expect((await statuses()).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
      const made = (await gateway.findRefunds(providerPayment ?? "")).map(({ refundId }) => refundId ?? "");
      expect([...made, ...outside].toSorted()).toEqual(planned.toSorted());
      expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 15_000 });
      await expectSound(app);
    });
    await fc.assert(property, { numRuns: runs, examples: [[[...settledTooEarly]]] });
  },
);
