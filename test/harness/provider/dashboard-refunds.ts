import { randomUUID } from "node:crypto";
import { ProviderFailure, type ProviderRefund } from "#gateway/gateway.ts";
import { refusedRefunds } from "#payments/refunds/refused-refunds.views.ts";
import { planRefund, submitRefunds, syncRefund } from "../payment-work.ts";
import type { PaymentsHarness } from "../payments.ts";

/** Refunds of this app beside those that are made in the provider's dashboard. */
export function dashboardRefunds(app: PaymentsHarness) {
  /** Makes a payment of $375, of which the provider refuses refunds of these amounts. */
  async function refused(...amounts: number[]) {
    const paid = await app.paid();
    app.around.createRefund = () => () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
    for (const amount of amounts) {
      await planned(paid.paymentId, amount);
      app.clock.advance(1_000);
    }
    delete app.around.createRefund;
    return viewOf(paid);
  }

  async function planned(paymentId: string, amount: number) {
    const plan = { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
    const { id } = await app.inTx((tx) => planRefund(tx, plan));
    await submitRefunds(app.services);
    return id;
  }

  /** Plans a refund whose call has no response. */
  async function unanswered(paymentId: string, amount: number) {
    app.around.createRefund = () => () => Promise.reject(new ProviderFailure("no_answer", "the provider is away"));
    await planned(paymentId, amount);
    delete app.around.createRefund;
  }

  /** Holds the next call for a refund until `respond`. `sent`: once it began. */
  function holdCall() {
    const [begun, response] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    app.around.createRefund = (real) => async (request) => {
      begun.resolve();
      await response.promise;
      return real.createRefund(request);
    };
    return { sent: begun.promise, respond: response.resolve };
  }

  async function viewOf({ paymentId, bookingId }: { paymentId: string; bookingId: string }) {
    const payment = async () => app.payment(paymentId);
    const providerPayment = (await payment()).provider_payment ?? "";
    const suspense = await app.balance("suspense");
    return {
      paymentId,
      bookingId,
      payment,
      providerPayment,
      report: (ref: string, amount: number, state: ProviderRefund["state"]) => {
        const made = { ref: `${ref}_${paymentId}`, refundId: null, providerPayment, amount, currency: "usd" };
        const reported = { ...made, state, reason: null, settled: null, createdAt: app.clock.now() };
        return app.inTx((tx) => syncRefund(tx, reported, app.clock.now()));
      },
      rows: () =>
        app.database.db
          .selectFrom("refunds")
          .select(["id", "amount", "status", "provider_ref", "needs_lookup"])
          .where("provider_payment", "=", providerPayment)
          .orderBy("created_at")
          .orderBy("amount")
          .execute(),
      /** What is held, what came into suspense, and the amounts that are listed as owed. */
      left: async () => [
        0 - (await app.balance(`held:${bookingId}`)),
        (await app.balance("suspense")) - suspense,
        (await refusedRefunds(app.database.db))
          .filter(({ provider_payment: of }) => of === providerPayment)
          .map(({ amount }) => amount),
      ],
      succeeded: async () =>
        (await app.publishedEvents(bookingId))
          .filter(({ topic }) => topic === "refund.succeeded")
          .map(({ body }) => body),
    };
  }

  return { refused, planned, unanswered, holdCall, viewOf };
}
