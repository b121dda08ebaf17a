import { afterAll, describe, expect, test } from "vitest";
import { revenue } from "#ledger/index.ts";
import { payoutsOf } from "#payouts/index.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts, refundUnmatched, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { disputedBookings, type Moment } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { syncDispute } from "./sync.ts";

const provider = memoryProvider();
const { reversals } = provider.payouts.transfers;
const { disputes } = provider.disputes;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, release, disputeOf, hear, rowOf, sentFor, steps, balances } = disputedBookings(provider, () => app);

const statusOf = async (bookingId: string) =>
  (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);

describe.each<Moment>(["before the show", "between show and payout", "after the payout"])(
  "dispute sync %s",
  (moment) => {
    test("charges only the provider's fee when the dispute is won, and sends the payout", async () => {
      const one = await booked(moment);
      const before = await balances(one);
      await hear(disputeOf(one.deposit, "needs_response"));
      await makePayouts(app.services);
      const paidBefore = moment === "after the payout";
      expect(sentFor(one.bookingId)).toHaveLength(paidBefore ? 2 : 0);
      if (moment === "between show and payout")
        expect(await statusOf(one.bookingId)).toMatchObject({ status: "frozen", waits: "dispute" });
      await expectSound(app);
      await hear(disputeOf(one.deposit, "under_review", { submissions: 1 }));
      await makePayouts(app.services);
      expect(sentFor(one.bookingId)).toHaveLength(paidBefore ? 2 : 0);
      await hear(disputeOf(one.deposit, "won"));
      expect(await balances(one)).toEqual(before);
      if (moment === "before the show") await release(one);
      await makePayouts(app.services);
      expect(sentFor(one.bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
      expect(await steps(one.bookingId)).toEqual(["opened", "withdrawn", "reinstated", "closed"]);
    });

    test.each([37_500, 20_000])(
      "divides a lost dispute of %i between artist and platform by their shares",
      async (amount) => {
        const one = await booked(moment);
        await hear(disputeOf(one.deposit, "needs_response", { amount }));
        await hear(disputeOf(one.deposit, "lost", { amount }));
        await expectSound(app);
        const row = await rowOf(one.deposit);
        const share = { from_artist: amount * 0.9, from_platform: amount * 0.1, from_held: 0, from_loss: 0 };
        if (moment === "before the show") {
          expect(row).toMatchObject({ from_held: amount, from_artist: 0, from_platform: 0, from_loss: 0 });
          await release(one);
        } else expect(row).toMatchObject(share);
        if (moment === "after the payout") expect((await balances(one)).receivable).toBe(amount * 0.9);
        for (let turn = 0; turn < 3; turn++) await makePayouts(app.services);
        const sent = sentFor(one.bookingId);
        const back = [...reversals.values()].filter(({ transfer }) => sent.some(({ ref }) => ref === transfer));
        const kept = sent.reduce((sum, t) => sum + t.amount, 0) - back.reduce((sum, t) => sum + t.amount, 0);
        expect(kept).toBe((150_000 - amount) * 0.9);
        expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
        expect(await steps(one.bookingId)).toEqual(["opened", "withdrawn", "closed"]);
        await expectSound(app);
      },
    );

    test("takes no money for an inquiry, and blocks the payout until it is closed", async () => {
      const one = await booked(moment);
      await hear(disputeOf(one.deposit, "warning_needs_response"));
      expect((await rowOf(one.deposit)).withdrawn).toBe(0);
      if (moment === "between show and payout") {
        await makePayouts(app.services);
        expect(sentFor(one.bookingId)).toEqual([]);
      }
      await hear(disputeOf(one.deposit, "warning_closed"));
      if (moment === "before the show") await release(one);
      await makePayouts(app.services);
      expect(sentFor(one.bookingId)).toHaveLength(2);
      expect(await steps(one.bookingId)).toEqual(["opened", "closed"]);
    });
  },
);

test("blocks the payout at the notice of a dispute, before the provider is queried", async () => {
  const { bookingId, payments } = await booked("between show and payout");
  const { provider_payment: paymentRef } = await app.payment(payments[0] ?? "");
  const id = `evt_${bookingId}`;
  await app.inTx((tx) =>
    tx
      .insertInto("provider_events")
      .values({
        id,
        provider: "stripe",
        type: "charge.dispute.created",
        object_id: `du_${bookingId}`,
        payload: JSON.stringify({ paymentRef }),
      })
      .execute(),
  );
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  const change = (fields: { dead_at?: Date; processed_at?: Date }) =>
    app.inTx((tx) => tx.updateTable("provider_events").set(fields).where("id", "=", id).execute());
  await change({ dead_at: app.clock.now() });
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  await change({ processed_at: app.clock.now() });
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
});

test("publishes an escalation when an inquiry becomes a dispute", async () => {
  const one = await booked("before the show");
  await hear(disputeOf(one.deposit, "warning_needs_response"));
  await hear(disputeOf(one.deposit, "needs_response"));
  await hear(disputeOf(one.deposit, "lost"));
  expect(await steps(one.bookingId)).toEqual(["opened", "escalated", "withdrawn", "closed"]);
});

test("charges the dispute's fee once to the platform, and reduces the revenue by what the bank took", async () => {
  const one = await booked("before the show");
  const fees = await app.balance("psp_fees");
  const [before] = await revenue(app.database.db);
  for (let again = 0; again < 3; again++) await hear(disputeOf(one.deposit, "needs_response"));
  expect((await app.balance("psp_fees")) - fees).toBe(1_500);
  const [after] = await revenue(app.database.db);
  expect((before?.amount ?? 0) - (after?.amount ?? 0)).toBe(37_500);
});

test.each([
  { moment: "before the show", held: [-112_500, -150_000, -112_500], loss: [0, 0, 0] },
  { moment: "after the show", held: [0, 0, 0], loss: [0, -37_500, 0] },
] as const)(
  "holds again what an appeal returns and the bank takes again, unless the rest was divided ($moment)",
  async ({ moment, held, loss }) => {
    const one = await booked("before the show");
    const before = await app.balance("dispute_loss");
    const seen: [number, number][] = [];
    const look = async () => seen.push([(await balances(one)).held, (await app.balance("dispute_loss")) - before]);
    await hear(disputeOf(one.deposit, "lost"));
    if (moment === "after the show") await release(one);
    await look();
    const won = disputeOf(one.deposit, "won");
    await hear(won);
    await look();
    const again = { ...won.movements[0], ref: `txn_again_${one.deposit}` } as const;
    await hear({ ...won, status: "lost", movements: [...won.movements, again as (typeof won.movements)[number]] });
    await look();
    expect(seen).toEqual(held.map((cents, at) => [cents, loss[at]]));
    await expectSound(app);
  },
);

test("returns the money to the platform when an appeal wins a lost dispute", async () => {
  const one = await booked("between show and payout");
  await hear(disputeOf(one.deposit, "lost"));
  const loss = await app.balance("dispute_loss");
  await hear(disputeOf(one.deposit, "won"));
  expect((await app.balance("dispute_loss")) - loss).toBe(-37_500);
  expect((await rowOf(one.deposit)).status).toBe("won");
  await expectSound(app);
});

test("divides what remains of a converted dispute that the bank returned in part", async () => {
  const one = await booked("before the show");
  const lost = disputeOf(one.deposit, "lost");
  // The account is in euros: $375.00 was taken at 0.92, and $100.00 was returned at 0.93.
  const inEuros = (name: string, amount: number, exchangeRate: number) => ({
    ref: `txn_${name}_${one.deposit}`,
    amount,
    exchangeRate,
    fee: 0,
    currency: "eur",
    at: app.clock.now(),
  });
  await hear({ ...lost, movements: [inEuros("out", -34_500, 0.92), inEuros("part", 9_300, 0.93)] });
  expect(await rowOf(one.deposit)).toMatchObject({ withdrawn: 27_500, from_held: 27_500 });
  expect(await balances(one)).toMatchObject({ held: -122_500 });
  await expectSound(app);
});

test("divides two disputes of one booking separately, and blocks the payout until both are decided", async () => {
  const one = await booked("between show and payout");
  const [deposit = "", balance = ""] = one.refs;
  await hear(disputeOf(deposit, "needs_response"));
  await hear(disputeOf(balance, "needs_response", { amount: 112_500 }));
  await hear(disputeOf(deposit, "won"));
  await makePayouts(app.services);
  expect(sentFor(one.bookingId)).toEqual([]);
  await hear(disputeOf(balance, "lost", { amount: 112_500 }));
  await makePayouts(app.services);
  expect(sentFor(one.bookingId).map(({ amount }) => amount)).toEqual([33_750]);
  const loss = await app.balance("dispute_loss");
  await hear(disputeOf(deposit, "lost", { ref: `du_second_${deposit}` }));
  expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 33_750 });
  expect(await app.balance("dispute_loss")).toBe(loss);
  await expectSound(app);
});

test("charges the platform for a lost dispute of a refunded payment without a booking, until an appeal wins it back", async () => {
  const [now, amount] = [app.clock.now(), { amount: 37_500, currency: "usd" }];
  const providerPayment = "pi_without_booking";
  const money = { providerPayment, charge: null, ...amount, live: false, at: now, fee: null, settled: amount };
  await app.inTx((tx) => refundUnmatched(tx, money, { now, provider: "memory", live: false }));
  await submitRefunds(app.services);
  const loss = await app.balance("dispute_loss");
  await hear(disputeOf(providerPayment, "lost"));
  expect(await rowOf(providerPayment)).toMatchObject({
    from_refunds: 0,
    from_held: 0,
    from_artist: 0,
    from_loss: 37_500,
  });
  expect(await app.balance("dispute_loss")).toBe(loss + 37_500);
  await expectSound(app);
  await hear(disputeOf(providerPayment, "won"));
  expect(await app.balance("dispute_loss")).toBe(loss);
  await expectSound(app);
});

test("finds a dispute and its end in reconciliation without a webhook", async () => {
  const one = await booked("before the show");
  disputes.set(`du_${one.deposit}`, disputeOf(one.deposit, "needs_response"));
  await reconcile(app.services);
  expect((await rowOf(one.deposit)).status).toBe("needs_response");
  disputes.set(`du_${one.deposit}`, disputeOf(one.deposit, "lost"));
  const { listDisputes } = provider.gateway;
  Object.assign(app.services.gateway!, { listDisputes: async function* () {} });
  await reconcile(app.services);
  Object.assign(app.services.gateway!, { listDisputes });
  expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 37_500 });
});

test("ignores a dispute of an unknown charge or of the other mode", async () => {
  expect(await app.inTx((tx) => syncDispute(tx, disputeOf("pi_unknown", "needs_response"), app.clock.now()))).toBe(
    "foreign",
  );
  const one = await booked("before the show");
  expect(await hear(disputeOf(one.deposit, "needs_response", { live: true }))).toBe("foreign");
  expect(await steps(one.bookingId)).toEqual([]);
  disputes.delete(`du_${one.deposit}`);
});
