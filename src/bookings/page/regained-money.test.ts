/** Money that a lost dispute took and an appeal won back, in histories of any order: it reaches the artist or the payer. */

import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ledgerBalance, move, platformSums, post, regainedOf } from "#ledger/index.ts";
import { splitCommission } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, messagesTo, peopleOf } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paidBookings, paymentOf, winAppeal } from "#test/harness/disputes.ts";
import { expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { syncRefund } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import type { ShownDispute } from "../disputes/disputes.api.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { person } = peopleOf(() => app);
const { booked, settle, price } = paidBookings(() => app);

const steps = ["lose", "appeal", "play", "pay out"] as const;
const history = fc.record({
  order: fc
    .shuffledSubarray([...steps], { minLength: 4 })
    .filter(
      (order) => order.indexOf("lose") < order.indexOf("appeal") && order.indexOf("play") < order.indexOf("pay out"),
    ),
  kind: fc.constantFrom("deposit", "balance"),
  opening: fc.constantFrom("service", "half"),
  before: fc.constantFrom(0, 3_878),
  end: fc.constantFrom("share", "refund", "refund of a part", "share, then refund", "share, then all"),
} as const);

/** The money comes back after the payout of what it left. */
const late = {
  order: ["lose" as const, "play" as const, "pay out" as const, "appeal" as const],
  kind: "deposit" as const,
  before: 3_878 as const,
};

type Booked = Awaited<ReturnType<typeof booked>>;

async function refundAtProvider(one: Booked, kind: "deposit" | "balance", amount: number) {
  const now = app.clock.now();
  const reported = {
    ref: `re_${amount}_${one.booking.id}`,
    refundId: null,
    providerPayment: await one.ref(kind),
    amount,
    currency: "usd",
    state: "succeeded",
    reason: null,
    settled: null,
    createdAt: now,
  } as const;
  expect(await app.database.transaction((tx) => syncRefund(tx, reported, now))).toBe("done");
  await settle();
}

/** Checks that the artist was told once that money won back was refunded. */
async function toldOfRefund(one: Booked, money: string) {
  const emails = await messagesTo(app, one.artistUser.email);
  const about = emails.filter(
    ({ template, text }) => template === "refund_reduces_share" && /won by an appeal/.test(text),
  );
  expect(about.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual([
    expect.stringMatching(
      new RegExp(`returned \\${money} of what .* refunded to the payer, so you receive no share of it`),
    ),
  ]);
}

/** Checks the rules of ledger and documents, that the parts add up to the price, and that the page says `taken` of the bank. */
async function check(one: Booked, taken = 0) {
  await expectSound({ inTx: (work) => app.database.transaction(work) });
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  await one.parts();
  expect((await one.pageOf(one.visitor)).money.dispute?.lost_cents ?? 0).toBe(taken);
}

/** Returns the artist's share as an admin, if it can be returned. */
async function returnShare(one: Booked, admin: ReturnType<typeof browser>) {
  const { body } = await admin.json(`/api/admin/bookings/${one.booking.id}/disputes`);
  const [shown] = body["items"] as ShownDispute[];
  if (!shown?.returnable) return;
  const request = { id: shown.id, expected_artist_cents: shown.returnable.artist };
  const response = await admin.json(`/api/admin/disputes/${shown.id}/share`, request);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  await settle();
}

test("reaches the artist or the payer, never the platform, in each order of loss, appeal, show and payout", async () => {
  const { user } = await person("admin");
  await fc.assert(
    fc.asyncProperty(history, async ({ order, kind, opening, before, end }) => {
      const one = await booked();
      const { amount, id } = await paymentOf(app, one.booking.id, kind);
      const loss = (await ledgerBalance(app.database.db, "dispute_loss"))[0]?.amount ?? 0;
      if (before > 0) await refundAtProvider(one, kind, before);
      let dispute = "";
      let taken = 0;
      for (const step of order) {
        if (step === "lose") {
          dispute = await openDispute(app, await one.ref(kind), opening);
          taken = opening === "half" ? amount / 2 : amount;
          await decideDispute(app, dispute, "lose");
        }
        if (step === "appeal") await winAppeal(app, dispute);
        if (step === "appeal") taken = 0;
        if (step === "play") await one.play();
        if (step === "pay out") await one.payOut();
        await settle();
        await check(one, taken);
      }
      // A session expires when the clock advances.
      const admin = async () => browser(app, await app.signIn(user));
      const refunded = end === "share" ? 0 : end === "refund of a part" ? 10_000 : amount - before;
      if (end.startsWith("share")) await returnShare(one, await admin());
      await check(one);
      const regained = await regainedOf(app.database.db, id, "usd");
      if (refunded > 0) await refundAtProvider(one, kind, refunded);
      if (Math.min(regained, refunded) > 0) await toldOfRefund(one, formatMoney(Math.min(regained, refunded), "USD"));
      await check(one);
      // The other payment.
      const others = end === "share, then all" ? price - amount : 0;
      if (others > 0) await refundAtProvider(one, kind === "deposit" ? "balance" : "deposit", others);
      await check(one);
      await returnShare(one, await admin());
      await one.payOut();
      await check(one);
      const { artist, commission } = splitCommission(price - before - refunded - others, one.booking.commission_bps);
      const { money } = await one.pageOf(await one.asArtist());
      const at = (by: string) =>
        money.parts.filter((part) => part.held_by === by).reduce((sum, { cents }) => sum + cents, 0);
      expect(at("promoter")).toBe(before + refunded + others);
      expect(Math.abs(at("artist") - artist)).toBeLessThanOrEqual(1);
      expect(Math.abs(at("commission") - commission)).toBeLessThanOrEqual(1);
      expect(money.parts.map(({ next }) => next)).not.toContain("appeal_won");
      const lossAfter = (await ledgerBalance(app.database.db, "dispute_loss"))[0]?.amount ?? 0;
      expect(lossAfter).toBe(loss);
      const { body } = await (await admin()).json("/api/admin/attention");
      expect((body["items"] as { kind: string }[]).map((item) => item.kind)).not.toContain("regained_dispute");
    }),
    {
      numRuns: Number(process.env["REPLAY_RUNS"] ?? 3),
      examples: [
        [{ ...late, opening: "half", end: "share" }],
        [{ ...late, opening: "service", end: "refund" }],
        [{ ...late, opening: "service", end: "share, then all" }],
      ],
    },
  );
});

test("before the show is held again, also if the booking was locked, or if an older version kept it", async () => {
  const one = await booked();
  const dispute = await openDispute(app, await one.ref("deposit"));
  await decideDispute(app, dispute, "lose");
  const { db } = app.database;
  const [locked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const change = app.database.transaction(async (tx) => {
    await tx.updateTable("bookings").set({ cancel_note: null }).where("id", "=", one.booking.id).execute();
    locked.resolve();
    await decided.promise;
  });
  await locked.promise;
  const failure = await winAppeal(app, dispute).catch(String);
  decided.resolve();
  await change;
  expect(failure).toContain("is being changed");
  await winAppeal(app, dispute);
  await check(one);
  const { money } = await one.pageOf(await one.asArtist());
  expect([money.held_cents, money.net_cents]).toEqual([150_000, 135_000]);
  // An older version left the money in `dispute_loss`.
  const { id: bookingId, currency } = one.booking;
  const { id: paymentId } = await paymentOf(app, bookingId, "deposit");
  const direction = { debit: `held:${bookingId}`, credit: "dispute_loss" };
  await app.database.transaction(async (tx) => {
    const entries = move(37_500, currency, direction);
    const of = { bookingId, paymentId, at: app.clock.now(), entries };
    await post(tx, { ...of, cause: `as before: ${dispute}`, kind: "dispute_regained" });
    await tx.updateTable("disputes").set({ returned_held: 0 }).where("provider_ref", "=", dispute).execute();
  });
  const migration = await readFile("migrations/1120_regained_before_the_show.sql", "utf8");
  for (let turn = 0; turn < 2; turn++) await sql.raw(migration).execute(db);
  await check(one);
  expect((await one.pageOf(one.visitor)).money.held_cents).toBe(150_000);
});

test.each([
  { title: "by the artist", by: "artist", refund: 112_500, due: 37_500, artist: 0 },
  {
    title: "by the promoter, with terms that refund a part",
    by: "promoter",
    refund: 18_750,
    due: 37_500,
    artist: 84_375,
  },
  {
    title: "by the promoter, between two parts",
    by: "promoter",
    early: 20_000,
    refund: 38_750,
    due: 17_500,
    artist: 84_375,
  },
  { title: "by the promoter, too late for a refund", by: "promoter", days: 20, refund: 0, due: 0, artist: 135_000 },
] as const)("after a cancellation goes to whom the terms say: $title", async (given) => {
  const { user } = await person("admin");
  const admin = async () => browser(app, await app.signIn(user));
  const sums = async () => {
    const [usd] = await platformSums(app.database.db, {});
    return [usd?.losses ?? 0, usd?.held ?? 0];
  };
  const { early = 0, days = 0 } = given as { early?: number; days?: number };
  const one = await booked();
  const [losses = 0, held = 0] = await sums();
  const dispute = await openDispute(app, await one.ref("deposit"));
  await decideDispute(app, dispute, "lose");
  if (early > 0) await winAppeal(app, dispute, { parts: [early] });
  app.clock.advance(days * dayMs);
  const canceler = given.by === "artist" ? await one.asArtist() : one.visitor;
  const canceled = await canceler.json(`${one.address}/cancel`, {
    code: "other",
    note: "The band has split up.",
    expected_refund_cents: given.refund,
  });
  expect(canceled.status, JSON.stringify(canceled.body)).toBe(200);
  await settle();
  await winAppeal(app, dispute, { parts: [37_500 - early] });
  await settle();
  await check(one);
  const { body } = await (await admin()).json(`/api/admin/bookings/${one.booking.id}/disputes`);
  const [shown] = body["items"] as ShownDispute[];
  expect(shown?.payer_due_cents).toBe(given.due);
  expect(shown?.returnable).toEqual(given.due > 0 ? null : { artist: 33_750, platform: 3_750 });
  const closed = async (to: string) =>
    (await messagesTo(app, to)).findLast(({ template }) => template === "dispute_closed")?.text.replaceAll(/\s+/g, " ");
  if (early === 0) {
    expect(await closed(one.booking.promoter_email)).toContain("so we decide who gets this money");
    expect(await closed(one.artistUser.email)).toContain("We will decide about your share");
  }
  if (given.due > 0) await refundAtProvider(one, "deposit", given.due);
  else await returnShare(one, await admin());
  await one.payOut();
  await check(one);
  expect(await sums()).toEqual([losses, held - 150_000]);
  const commission = given.artist / 9;
  const parts = [
    ["artist", given.artist],
    ["commission", commission],
    ["promoter", price - given.artist - commission],
  ];
  expect(await one.parts()).toEqual(parts.filter(([, cents]) => Number(cents) > 0));
});

test.each([
  { title: "once", owed: 37_500, steps: [{ back: 10_000, paid: [10_000] }], byBank: 27_500, loss: 0 },
  { title: "twice", owed: 37_500, steps: [{ back: 30_000, paid: [10_007, 9_993] }], byBank: 17_500, loss: 10_000 },
  { title: "with held money", owed: 30_000, steps: [{ back: 34_000, paid: [34_000] }], byBank: 3_500, loss: 0 },
  { title: "in full", owed: 30_000, after: "show", steps: [{ back: 34_000, paid: [30_000] }], byBank: 0, loss: 4_000 },
  {
    title: "and listed when the rest arrives",
    owed: 37_500,
    steps: [
      { back: 10_000, paid: [10_000] },
      { back: 27_500, paid: [27_500] },
    ],
    byBank: 0,
    loss: 0,
  },
])("of a refund that the loss completed is paid to the payer by an admin, $title", async (given) => {
  const one = await booked();
  const { id } = await paymentOf(app, one.booking.id, "deposit");
  const dispute = await openDispute(app, await one.ref("deposit"));
  await one.refund("deposit", given.owed);
  await decideDispute(app, dispute, "lose");
  await settle();
  if (given.after === "show") await one.play();
  let taken = 37_500;
  await check(one, taken);
  for (const { back, paid } of given.steps) {
    taken -= back;
    await winAppeal(app, dispute, { parts: [back] });
    await settle();
    for (const amount of paid) {
      await refundAtProvider(one, "deposit", amount);
      await check(one, taken);
    }
  }
  // A refund that was planned had reduced the share before.
  const emails = await messagesTo(app, one.artistUser.email);
  const reduced = emails.filter(({ template }) => template === "refund_reduces_share");
  expect(reduced).toHaveLength(given.title === "with held money" ? 1 : 0);
  const rows = app.database.db.selectFrom("refunds").select(["amount", "status"]).where("payment_id", "=", id);
  const amounts = [...given.steps.flatMap(({ paid }) => paid), given.byBank].filter((amount) => amount > 0);
  expect(new Set(await rows.execute())).toEqual(new Set(amounts.map((amount) => ({ amount, status: "succeeded" }))));
  const payment = app.database.db.selectFrom("payments").select("amount_refunded").where("id", "=", id);
  expect(await payment.executeTakeFirst()).toEqual({ amount_refunded: amounts.reduce((sum, amount) => sum + amount) });
  expect(await regainedOf(app.database.db, id, "usd")).toBe(given.loss);
});
