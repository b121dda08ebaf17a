/** The ends of disputes that an admin decides: accepted, and given back after an appeal. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Booked, disputedBookings, makeAdmin } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { makePayouts, payoutsOf, requestEvidence } from "../index.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { lockPayoutOf, retryTransfers } from "../payouts/payouts.store.ts";
import { acceptDispute } from "./acceptance.ts";
import { sendEvidence } from "./evidence.ts";
import { returnShares } from "./return-shares.ts";

const provider = memoryProvider();
const { reversals } = provider.payouts.transfers;

const { accepted, failures } = provider.disputes;
let app: PaymentsHarness;
let admin: string;
beforeAll(async () => {
  app = await paymentsHarness({ gateway: provider.gateway });
  admin = await makeAdmin(app);
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

const { booked, movement, disputeOf, hear, rowOf, sentFor, steps, balances } = disputedBookings(provider, () => app);

describe("accepting a dispute", () => {
  const accept = async (charge: string) => acceptDispute(app.services, (await rowOf(charge)).id);
  const acceptedOf = (charge: string) => accepted.filter(({ dispute }) => dispute === `du_${charge}`);

  test("closes it at the provider once, and the loss is divided", async () => {
    const one = await booked("between show and payout");
    await hear(disputeOf(one.deposit, "needs_response"));
    await accept(one.deposit);
    expect(acceptedOf(one.deposit)).toHaveLength(1);
    expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_artist: 33_750, from_platform: 3_750 });
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    expect((await steps(one.bookingId)).filter((step) => step === "closed")).toHaveLength(1);
    await expectSound(app);
  });

  test.each(["lost", "server_error", "away"] as const)(
    "whose answer fails (%s) is repeated, and closed once",
    async (failure) => {
      const one = await booked("before the show");
      await hear(disputeOf(one.deposit, "needs_response"));
      failures.push(failure);
      await expect(accept(one.deposit)).rejects.toThrow("The payment provider did not answer.");
      expect((await rowOf(one.deposit)).status).toBe("needs_response");
      // Only a call that was not made is made again.
      expect(await accept(one.deposit)).toBe(failure === "away");
      expect(acceptedOf(one.deposit)).toHaveLength(1);
      expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 37_500 });
      await expectSound(app);
    },
  );

  test("is refused for an inquiry, for one that is answered or decided, and where the provider refuses", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "warning_needs_response"));
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await hear(disputeOf(one.deposit, "needs_response"));
    failures.push("refused");
    await expect(accept(one.deposit)).rejects.toThrow(
      "The payment provider refused it: This dispute cannot be closed.",
    );
    await hear(disputeOf(one.deposit, "under_review", { submissions: 1 }));
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await expect(acceptDispute(app.services, randomUUID())).rejects.toThrow("Dispute not found");
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("that was decided meanwhile is synced, and is not an act of whoever wanted to accept it", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    provider.disputes.disputes.set(`du_${one.deposit}`, disputeOf(one.deposit, "won"));
    expect(await accept(one.deposit)).toBe(false);
    expect((await rowOf(one.deposit)).status).toBe("won");
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("is refused when evidence is sent while the provider is asked", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    const answers = { disputeId, by: admin, texts: { service_date: "2027-02-13" }, files: [], now: app.clock.now() };
    const gateway = {
      ...provider.gateway,
      retrieveDispute: async (ref: string) => {
        await app.inTx((tx) => requestEvidence(tx, answers));
        return provider.gateway.retrieveDispute(ref);
      },
    };
    await expect(acceptDispute({ ...app.services, gateway }, disputeId)).rejects.toThrow("can no longer be accepted");
    expect(acceptedOf(one.deposit)).toEqual([]);
    await sendEvidence(app.services);
  });

  test("keeps evidence from being stored while the provider is asked to close it, and no longer", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    const answers = { disputeId, by: admin, texts: { service_date: "2027-02-13" }, files: [], now: app.clock.now() };
    const answer = () => app.inTx((tx) => requestEvidence(tx, answers));
    const meanwhile: PromiseSettledResult<void>[] = [];
    const gateway = {
      ...provider.gateway,
      acceptDispute: async (call: Parameters<typeof provider.gateway.acceptDispute>[0]) => {
        meanwhile.push(...(await Promise.allSettled([answer()])));
        return provider.gateway.acceptDispute(call);
      },
    };
    const acceptMeanwhile = () => acceptDispute({ ...app.services, gateway }, disputeId);
    const isRefused = { reason: { message: expect.stringContaining("is being accepted at this moment") as string } };

    // Its answer is lost: the provider may have closed it, so evidence waits until that is known.
    failures.push("away");
    await expect(acceptMeanwhile()).rejects.toThrow("The payment provider did not answer.");
    await expect(answer()).rejects.toThrow("is being accepted at this moment");
    // It is refused: the dispute can be answered at once.
    failures.push("refused");
    await expect(acceptMeanwhile()).rejects.toThrow("This dispute cannot be closed.");
    expect(meanwhile).toMatchObject([isRefused, isRefused]);
    await answer();
    await expect(acceptMeanwhile()).rejects.toThrow("can no longer be accepted");
    await sendEvidence(app.services);
    expect(acceptedOf(one.deposit)).toEqual([]);
  });

  test("is refused while evidence is on its way to the bank", async () => {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id: disputeId } = await rowOf(one.deposit);
    await app.inTx((tx) =>
      requestEvidence(tx, {
        disputeId,
        by: admin,
        texts: { service_date: "2027-02-13" },
        files: [],
        now: app.clock.now(),
      }),
    );
    await expect(accept(one.deposit)).rejects.toThrow("can no longer be accepted");
    await sendEvidence(app.services);
  });
});

describe("a loss that an appeal has brought back", () => {
  const won = async (one: Booked, amount = 37_500) => {
    await hear(disputeOf(one.deposit, "lost", { amount }));
    await hear(disputeOf(one.deposit, "won", { amount }));
  };
  const giveBack = async (one: Booked, expectedArtist = 33_750) => {
    const { id: disputeId } = await rowOf(one.deposit);
    const { bookingId } = one;
    return app.inTx((tx) => returnShares(tx, { disputeId, bookingId, expectedArtist, now: app.clock.now() }));
  };
  const commission = () => app.balance("platform_revenue");

  test("before the payout, the artist is paid as if nothing had been lost", async () => {
    const one = await booked("between show and payout");
    const [before, loss] = [await commission(), await app.balance("dispute_loss")];
    await won(one);
    expect(await giveBack(one)).toMatchObject({ artist: 33_750, platform: 3_750 });
    expect([await commission(), await app.balance("dispute_loss")]).toEqual([before, loss]);
    await makePayouts(app.services);
    expect(sentFor(one.bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expect(giveBack(one)).rejects.toThrow("Nothing of this dispute can be given back.");
    await expectSound(app);
  });

  test("after the payout and the reversal, the share is sent again, once and told by itself", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expect(giveBack(one)).rejects.toThrow("Nothing of this dispute can be given back.");
    await hear(disputeOf(one.deposit, "won"));
    await expect(giveBack(one, 33_749)).rejects.toThrow("The figures have changed meanwhile.");
    const given = await Promise.allSettled([giveBack(one), giveBack(one), giveBack(one)]);
    expect(given.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await balances(one)).payable).toBe(-33_750);
    await makePayouts(app.services);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    const sent = sentFor(one.bookingId).map(({ amount }) => amount);
    expect(sent.reduce((sum, amount) => sum + amount, 0)).toBe(135_000 + 33_750);
    const paid = (await app.told(one.bookingId)).filter(({ topic }) => topic === "payout.paid");
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

  test("a share that was not taken yet is no longer taken", async () => {
    const one = await booked("after the payout");
    await won(one);
    expect((await balances(one)).receivable).toBe(33_750);
    await giveBack(one);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    expect(
      [...reversals.values()].filter(({ transfer }) => sentFor(one.bookingId).some(({ ref }) => ref === transfer)),
    ).toEqual([]);
    expect(sentFor(one.bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    await expectSound(app);
  });

  test("what came back in part is divided as the loss was", async () => {
    const one = await booked("between show and payout");
    await hear(disputeOf(one.deposit, "lost"));
    const part = { ...disputeOf(one.deposit, "won") };
    await hear({ ...part, movements: [part.movements[0]!, movement(part.ref, 10_000)] });
    await giveBack(one, 9_000);
    expect(await rowOf(one.deposit)).toMatchObject({
      returned_artist: 9_000,
      returned_platform: 1_000,
      regained: 10_000,
    });
    await makePayouts(app.services);
    await expectSound(app);
  });

  test("of a part that came back before the share was taken, only its share is no longer taken", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    const part = disputeOf(one.deposit, "won");
    await hear({ ...part, movements: [part.movements[0]!, movement(part.ref, 10_000)] });
    await giveBack(one, 9_000);
    expect((await balances(one)).receivable).toBe(24_750);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    const sent = sentFor(one.bookingId);
    const taken = [...reversals.values()].filter(({ transfer }) => sent.some(({ ref }) => ref === transfer));
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(24_750);
    expect(sent.reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000);
    await expectSound(app);
  });

  test("a share whose taking was refused, and refused again after a retry, is no longer taken", async () => {
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
    await expect(giveBack(one)).rejects.toThrow("The share is being taken back at this moment.");
    await refuseAll();
    await giveBack(one);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expectSound(app);
  });

  test("a share that was taken from the account of a former owner is not sent to another account", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    await hear(disputeOf(one.deposit, "won"));
    const move = (account: string) =>
      app.database.db
        .updateTable("artist_connect")
        .set({ provider_account: account })
        .where("artist_id", "=", one.artistId)
        .execute();
    await move(`acct_later_${one.artistId}`);
    await expect(giveBack(one)).rejects.toThrow("a payment account that is not the artist's any more");
    expect((await rowOf(one.deposit)).returned_at).toBeNull();
    await move(`acct_${one.artistId}`);
    await giveBack(one);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expectSound(app);
  });

  test("a share goes to the account of its payout, or waits for a person when the account changes before it is sent", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    await hear(disputeOf(one.deposit, "won"));
    await giveBack(one);
    const sent = () => sentFor(one.bookingId).map(({ destination }) => destination);
    const before = sent();
    const move = (account: string) =>
      app.database.db
        .updateTable("artist_connect")
        .set({ provider_account: account })
        .where("artist_id", "=", one.artistId)
        .execute();
    const payout = async () => (await payoutsOf(app.database.db, [one.bookingId], app.clock.now())).get(one.bookingId);
    const retry = () =>
      app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()));
    await move(`acct_later_${one.artistId}`);
    await makePayouts(app.services);
    expect(sent()).toEqual(before);
    expect(await payout()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("not the artist's any more") as string,
    });
    // The share is taken from both charges, so there are two transfers of it.
    expect((await app.topics(one.bookingId)).filter((topic) => topic === "payout.failed")).toHaveLength(2);
    await retry();
    await makePayouts(app.services);
    expect(sent()).toEqual(before);
    await move(`acct_${one.artistId}`);
    await retry();
    await makePayouts(app.services);
    expect(sent()).toEqual([...before, `acct_${one.artistId}`, `acct_${one.artistId}`]);
    expect(await balances(one)).toEqual({ held: 0, payable: 0, receivable: 0 });
    await expectSound(app);
  });

  test("an upgrade binds a share that was given back and not sent to the account of its payout", async () => {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    await hear(disputeOf(one.deposit, "won"));
    await giveBack(one);
    const { id } = await rowOf(one.deposit);
    const returned = () =>
      app.database.db.selectFrom("transfers").select("destination").where("returned_dispute_id", "=", id).execute();
    const bound = await returned();
    expect(new Set(bound.map(({ destination }) => destination))).toEqual(new Set([`acct_${one.artistId}`]));
    await app.database.db
      .updateTable("transfers")
      .set({ destination: null })
      .where("returned_dispute_id", "=", id)
      .execute();
    const file = new URL("../../../migrations/0422_accounts_of_returned_shares.sql", import.meta.url);
    await sql.raw(await readFile(file, "utf8")).execute(app.database.db);
    expect(await returned()).toEqual(bound);
    await makePayouts(app.services);
    await expectSound(app);
  });

  test("a share of a payout that went to another account is not sent, although nothing was taken from that one", async () => {
    const one = await booked("between show and payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app.services);
    await hear(disputeOf(one.deposit, "won"));
    await app.database.db
      .updateTable("artist_connect")
      .set({ provider_account: `acct_later_${one.artistId}` })
      .where("artist_id", "=", one.artistId)
      .execute();
    await expect(giveBack(one)).rejects.toThrow("a payment account that is not the artist's any more");
    await expectSound(app);
  });

  test("an upgrade finds in the ledger what has come back, where the payment has one dispute only", async () => {
    const [one, two] = [await booked("between show and payout"), await booked("between show and payout")];
    await hear(disputeOf(one.deposit, "lost"));
    // The movement may be reported before the dispute is: it is not won yet.
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

  test("the bank may take the money again after the shares were given back: the platform bears it", async () => {
    const one = await booked("between show and payout");
    await won(one);
    await giveBack(one);
    const loss = await app.balance("dispute_loss");
    const dispute = disputeOf(one.deposit, "won");
    const again = { ...movement(dispute.ref, -37_500), ref: `${dispute.ref} again` };
    await hear({ ...dispute, movements: [...dispute.movements, again] });
    expect(await rowOf(one.deposit)).toMatchObject({ regained: 0, returned_artist: 33_750, returned_platform: 3_750 });
    expect((await app.balance("dispute_loss")) - loss).toBe(37_500);
    await makePayouts(app.services);
    await expectSound(app);
  });

  test("before the release nothing was the artist's, and nothing is given back", async () => {
    const one = await booked("before the show");
    await won(one);
    await expect(giveBack(one, 0)).rejects.toThrow("Nothing of this dispute can be given back.");
  });
});
