/** A provider account in euros receives US dollars: transfers, reversals and the ledger follow what it received. */

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { ProviderTransfer, TransferGateway } from "#gateway/transfer-gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { otherAccountOf } from "#test/harness/provider/other-account.ts";
import { settlementAt } from "#test/harness/settlement.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";
import { claimReversal } from "../reversals/reversals.store.ts";

let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness({ env: { SANDBOX_CURRENCIES: "eur" } });
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

const { gateway, released, accountAndLedger, transfersOf } = settlementAt(() => app);

async function refundInDashboard(providerPayment: string, amount: number): Promise<void> {
  const id = randomUUID();
  await gateway().createRefund({ refundId: id, key: id, providerPayment, amount });
  await app.settle();
  await makePayouts(app.services);
}

const sumOf = (rows: readonly ProviderTransfer[], field: "amount" | "reversed") =>
  rows.reduce((sum, row) => sum + row[field], 0);

test("sends and reverses the artist's share in the currency that the account received", async () => {
  const { bookingId, artistId, providerPayment } = await released();
  await makePayouts(app.services);
  const sent = await transfersOf(bookingId);
  // $375 became €347.22 at 1.08. The artist gets nine tenths, rounded down.
  expect(sent).toMatchObject([{ currency: "eur", amount: 31_249 }]);
  expect(await app.topics(bookingId)).toContain("payout.paid");
  expect(await app.balance(`artist_payable:${artistId}`)).toBe(0);
  expect(await accountAndLedger()).toEqual([
    { currency: "eur", provider: expect.any(Number), ledger: expect.any(Number) },
  ]);

  await refundInDashboard(providerPayment, 12_345);
  await refundInDashboard(providerPayment, 25_155);
  const left = await transfersOf(bookingId);
  expect(sumOf(left, "reversed")).toBe(31_249);
  expect(await app.balance(`artist_receivable:${artistId}`)).toBe(0);
  for (const { provider, ledger } of await accountAndLedger()) expect(ledger).toBe(provider);
  expect(await reconcile(app.services, "nightly")).toMatchObject({ differences: [] });
});

test("converts each of two reversals of a transfer by what the other one left", async () => {
  const { bookingId, providerPayment } = await released();
  await makePayouts(app.services);
  for (const amount of [12_345, 25_155]) {
    const id = randomUUID();
    await gateway().createRefund({ refundId: id, key: id, providerPayment, amount });
    await app.settle();
  }
  const claim = () => app.inTx((tx) => claimReversal(tx, app.clock.now(), () => app.clock.now()));
  const [claimed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = app.inTx(async (tx) => {
    await claimReversal(tx, app.clock.now(), () => app.clock.now());
    claimed.resolve();
    await done.promise;
  });
  await claimed.promise;
  const second = await claim();
  done.resolve();
  await first;
  expect(second).toBe(undefined);
  await makePayouts(app.services);
  expect(sumOf(await transfersOf(bookingId), "reversed")).toBe(31_249);
});

test("fetches the missing settlement of a charge before its transfer", async () => {
  const { bookingId, providerPayment } = await released();
  await app.inTx((tx) =>
    sql`update provider_charges set settled_amount = null, settled_currency = null where provider_payment = ${providerPayment}`.execute(
      tx,
    ),
  );
  await makePayouts(app.services);
  expect(await transfersOf(bookingId)).toMatchObject([{ currency: "eur", amount: 31_249 }]);
});

test("records a dashboard reversal in the booking's currency", async () => {
  const { bookingId, artistId } = await released();
  await makePayouts(app.services);
  const [transfer] = await transfersOf(bookingId);
  await gateway().createReversal({ reversalId: "", key: randomUUID(), transfer: transfer?.ref ?? "", amount: 31_249 });
  await app.settle();
  expect(await app.balance(`artist_payable:${artistId}`)).toBe(-33_750);
  for (const { provider, ledger } of await accountAndLedger()) expect(ledger).toBe(provider);
});

const setCharge = (paymentId: string, charge: string | null) =>
  app.database.db.updateTable("payments").set({ provider_charge: charge }).where("id", "=", paymentId).execute();
const viewOf = async (bookingId: string) =>
  (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);

test("lets an admin record a payout as paid outside if the provider does not know its charge", async () => {
  const { bookingId, paymentId } = await released();
  await setCharge(paymentId, "ch_none");
  await makePayouts(app.services);
  expect(await viewOf(bookingId)).toMatchObject({ status: "failed", canRetry: true, outside: 33_750 });
});

const otherAccount = () => ({ ...app.services, gateway: otherAccountOf(gateway()) });

test("lets an admin record a payout as paid outside that was never sent, because its settlement was unknown", async () => {
  const { bookingId, providerPayment } = await released();
  const unknown = { settled_amount: null, settled_currency: null };
  const { db } = app.database;
  await db.updateTable("provider_charges").set(unknown).where("provider_payment", "=", providerPayment).execute();
  const retrievePayment = () => Promise.reject(new ProviderFailure("no_answer", "the provider is away"));
  await makePayouts({ ...app.services, gateway: { ...gateway(), retrievePayment } });
  expect(await viewOf(bookingId)).toMatchObject({ status: "in_transit", outside: 0 });
  app.clock.advance(hourMs);
  await makePayouts(otherAccount());
  expect(await viewOf(bookingId)).toMatchObject({ status: "failed", canRetry: true, outside: 33_750 });
});

test.each([
  [false, "ch_none"],
  [true, "ch_none"],
  [false, null],
])(
  "refuses to pay outside what an earlier call may have made, with the key of another account (frozen: %s, charge: %s)",
  async (isFrozen, other) => {
    const { bookingId, artistId, paymentId } = await released();
    const { provider_charge: charge } = await app.payment(paymentId);
    const createTransfer: TransferGateway["createTransfer"] = async (request) => {
      await gateway().createTransfer(request);
      throw new ProviderFailure("no_answer", "the answer was lost");
    };
    await makePayouts({ ...app.services, gateway: { ...gateway(), createTransfer } });
    app.clock.advance(hourMs);
    const freeze = (frozen_until: Date | null) =>
      app.database.db.updateTable("artist_connect").set({ frozen_until }).where("artist_id", "=", artistId).execute();
    if (isFrozen) await freeze(new Date(app.clock.now().getTime() + hourMs));
    const retry = () =>
      app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))?.id ?? "", app.clock.now()));
    await setCharge(paymentId, other);
    await makePayouts(otherAccount());
    expect(await viewOf(bookingId)).toMatchObject({ status: "failed", canRetry: true, outside: 0 });
    await retry();
    await makePayouts(otherAccount());
    expect(await viewOf(bookingId)).toMatchObject({ status: "failed", canRetry: true, outside: 0 });
    await setCharge(paymentId, charge);
    await retry();
    await makePayouts(app.services);
    expect(await transfersOf(bookingId)).toHaveLength(1);
    expect(await viewOf(bookingId)).toMatchObject({ status: "paid" });
  },
);
