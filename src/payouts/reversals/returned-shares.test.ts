import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { returnShares } from "#disputes/index.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { type Booked, disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";
import { syncReversal } from "./reversals.ts";

const provider = memoryProvider();
const { reversals } = provider.payouts.transfers;

const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, movement, disputeOf, hear, rowOf, sentFor, balances, wonBack, returnShare } = disputedBookings(
  provider,
  () => app,
);

describe("returnShares", () => {
  const won = async (one: Booked, amount = 37_500) => {
    await hear(disputeOf(one.deposit, "lost", { amount }));
    await hear(disputeOf(one.deposit, "won", { amount }));
  };
  const commission = () => app.balance("platform_revenue");

  test("pays the artist in full if the share returns before the payout", async () => {
    const one = await booked("between show and payout");
    const [before, loss] = [await commission(), await app.balance("dispute_loss")];
    await won(one);
    expect(await returnShare(one)).toMatchObject({ artist: 33_750, platform: 3_750 });
    expect([await commission(), await app.balance("dispute_loss")]).toEqual([before, loss]);
    await makePayouts(app.services);
    expect(sentFor(one.bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expect(returnShare(one)).rejects.toThrow("Nothing of this dispute can be returned.");
  });

  test("sends the share again once after the payout and the reversal, and publishes it separately", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expect(returnShare(one)).rejects.toThrow("Nothing of this dispute can be returned.");
    await hear(disputeOf(one.deposit, "won"));
    await expect(returnShare(one, 33_749)).rejects.toThrow("The amounts have changed.");
    const given = await Promise.allSettled([returnShare(one), returnShare(one), returnShare(one)]);
    expect(given.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await balances(one)).payable).toBe(-33_750);
    await makePayouts(app.services);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    const sent = sentFor(one.bookingId).map(({ amount }) => amount);
    expect(sent.reduce((sum, amount) => sum + amount, 0)).toBe(135_000 + 33_750);
    const paid = (await app.publishedEvents(one.bookingId)).filter(({ topic }) => topic === "payout.paid");
    const { id } = await rowOf(one.deposit);
    expect(paid.map(({ body }) => [body["amount"], body["disputeId"]])).toEqual([
      [135_000, null],
      [33_750, id],
    ]);
    const view = (await payoutsOf(app.database.db, [one.bookingId], app.clock.now())).get(one.bookingId);
    expect(view).toMatchObject({ status: "paid", amount: 135_000, reversed: 0 });
    await reconcile(app.services);
    await expectSound(app);
  });

  test("returns the share of each dispute of a payment", async () => {
    const one = await booked("after the payout");
    const [first, second] = ["first", "second"].map((name) => ({ ref: `du_${name}_${one.deposit}`, amount: 10_000 }));
    for (const dispute of [first, second])
      for (const status of ["lost", "won"]) {
        await hear(disputeOf(one.deposit, status, dispute));
        await makePayouts(app.services);
      }
    const { bookingId } = one;
    const rows = await app.database.db
      .selectFrom("disputes")
      .select("id")
      .where("provider_payment", "=", one.deposit)
      .execute();
    for (const { id: disputeId } of rows) {
      await app.inTx((tx) => returnShares(tx, { disputeId, bookingId, expectedArtist: 9_000, now: app.clock.now() }));
      await makePayouts(app.services);
    }
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    expect(sentFor(bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000 + 18_000);
    await expectSound(app);
  });

  test("leaves what the bank returns after the share was returned with the platform, and lists it", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    const won = disputeOf(one.deposit, "won");
    const [taken, back] = [won.movements[0]!, movement(won.ref, 10_000)];
    await hear({ ...won, movements: [taken, back] });
    await returnShare(one, 9_000);
    await makePayouts(app.services);
    const loss = await app.balance("dispute_loss");
    await hear({ ...won, movements: [taken, back, { ...movement(won.ref, 27_500), ref: `rest ${won.ref}` }] });
    expect(await app.balance("dispute_loss")).toBe(loss - 27_500);
    await expect(returnShare(one, 24_750)).rejects.toThrow("Nothing of this dispute can be returned.");
    const waiting = await findWaiting(app.database.db);
    expect(waiting.find(({ kind }) => kind === "regained_dispute")).toMatchObject({ count: 1, example: one.bookingId });
    await expectSound(app);
  });

  test("cancels the reversal of a share that was not reversed yet", async () => {
    const one = await booked("after the payout");
    await won(one);
    expect((await balances(one)).receivable).toBe(33_750);
    await returnShare(one);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    expect(
      [...reversals.values()].filter(({ transfer }) => sentFor(one.bookingId).some(({ ref }) => ref === transfer)),
    ).toEqual([]);
    expect(sentFor(one.bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    await expectSound(app);
  });

  test("divides a partly returned loss like the loss", async () => {
    const one = await booked("between show and payout");
    await hear(disputeOf(one.deposit, "lost"));
    const part = { ...disputeOf(one.deposit, "won") };
    await hear({ ...part, movements: [part.movements[0]!, movement(part.ref, 10_000)] });
    await returnShare(one, 9_000);
    expect(await rowOf(one.deposit)).toMatchObject({
      returned_artist: 9_000,
      returned_platform: 1_000,
      regained: 10_000,
    });
    await makePayouts(app.services);
    await expectSound(app);
  });

  test("holds a part that returns before the show again, and takes it when the bank does", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "lost"));
    const won = { ...disputeOf(one.deposit, "won") };
    const movements = [won.movements[0]!, movement(won.ref, 10_000)];
    await hear({ ...won, movements });
    expect(await balances(one)).toMatchObject({ held: -122_500 });
    await expect(returnShare(one, 9_000)).rejects.toThrow("Nothing of this dispute can be returned.");
    await expectSound(app);
    await hear({ ...won, movements: [...movements, { ...movement(won.ref, -10_000), ref: `again ${won.ref}` }] });
    expect(await balances(one)).toMatchObject({ held: -112_500 });
    expect(await rowOf(one.deposit)).toMatchObject({ regained: 0, returned_held: 0 });
    await expectSound(app);
  });

  test("cancels only a part of the reversal when a part returns before it", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    const part = disputeOf(one.deposit, "won");
    await hear({ ...part, movements: [part.movements[0]!, movement(part.ref, 10_000)] });
    await returnShare(one, 9_000);
    expect((await balances(one)).receivable).toBe(24_750);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    const sent = sentFor(one.bookingId);
    const taken = [...reversals.values()].filter(({ transfer }) => sent.some(({ ref }) => ref === transfer));
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(24_750);
    expect(sent.reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    await expectSound(app);
  });

  test("cancels a reversal that was refused, and refused again after a retry", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    const refuseAll = async () => {
      provider.payouts.transfers.failures.push("refused", "refused");
      await makePayouts(app.services);
      provider.payouts.transfers.failures.length = 0;
    };
    await refuseAll();
    await app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()));
    await hear(disputeOf(one.deposit, "won"));
    await expect(returnShare(one)).rejects.toThrow("The share is being reversed right now.");
    await refuseAll();
    await returnShare(one);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expectSound(app);
  });

  test("finds returned money in the ledger in migration 0411, for payments with one dispute", async () => {
    const [one, two] = [await booked("between show and payout"), await booked("between show and payout")];
    await hear(disputeOf(one.deposit, "lost"));
    // The movement may be reported before the won status.
    const lost = disputeOf(one.deposit, "lost");
    await hear({ ...lost, movements: [...lost.movements, movement(lost.ref, 37_500)] });
    await won(two, 10_000);
    await hear(disputeOf(two.deposit, "lost", { ref: `du_second_${two.deposit}`, amount: 5_000 }));
    const file = await readFile(new URL("../../../migrations/0411_shares_given_back.sql", import.meta.url), "utf8");
    const statement = /^update disputes[^;]*;/mu.exec(file.replaceAll(/^ *--.*\n/gmu, ""))?.[0] ?? "";
    const regained = (payment: string) =>
      app.database.db
        .selectFrom("disputes")
        .select("regained")
        .where("provider_payment", "=", payment)
        .orderBy("regained")
        .execute();
    const undone = new Error("undone");
    await expect(
      app.inTx(async (tx) => {
        await tx.updateTable("disputes").set({ regained: 0 }).execute();
        await sql.raw(statement).execute(tx);
        const rows = await tx
          .selectFrom("disputes")
          .select(["provider_payment", "regained"])
          .where("provider_payment", "in", [one.deposit, two.deposit])
          .execute();
        const found = (payment: string) =>
          rows.filter((row) => row.provider_payment === payment).map((row) => row.regained);
        expect([found(one.deposit), found(two.deposit)]).toEqual([[37_500], [0, 0]]);
        throw undone;
      }),
    ).rejects.toBe(undone);
    expect(await regained(two.deposit)).toEqual([{ regained: 0 }, { regained: 10_000 }]);
    await expectSound(app);
  });

  test("charges the platform when the bank takes the money again after the return", async () => {
    const one = await booked("between show and payout");
    await won(one);
    await returnShare(one);
    const loss = await app.balance("dispute_loss");
    const dispute = disputeOf(one.deposit, "won");
    const again = { ...movement(dispute.ref, -37_500), ref: `${dispute.ref} again` };
    await hear({ ...dispute, movements: [...dispute.movements, again] });
    expect(await rowOf(one.deposit)).toMatchObject({ regained: 0, returned_artist: 33_750, returned_platform: 3_750 });
    expect((await app.balance("dispute_loss")) - loss).toBe(37_500);
    await makePayouts(app.services);
    await expectSound(app);
  });

  test("throws while a part of the payout waits to be sent again, and says so", async () => {
    const one = await wonBack();
    const transfer = sentFor(one.bookingId)[1]?.ref ?? "";
    const reversal = { ref: `trr_${one.bookingId}`, reversalId: null, transfer, amount: 5_000, currency: "usd" };
    await app.inTx((tx) => syncReversal(tx, reversal, app.clock.now()));
    await expect(returnShare(one)).rejects.toThrow("was not sent. Send it again first, then return the share.");
    await app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()));
    await expect(returnShare(one)).rejects.toThrow("The payout of this booking is in progress.");
    await makePayouts(app.services);
    await returnShare(one);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expectSound(app);
  });

  test("throws if the loss preceded the release", async () => {
    const one = await booked("before the show");
    await won(one);
    await expect(returnShare(one, 0)).rejects.toThrow("Nothing of this dispute can be returned.");
  });
});
