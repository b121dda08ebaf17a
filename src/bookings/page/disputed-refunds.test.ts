import { afterAll, describe, expect, test } from "vitest";
import { recordDispute } from "#disputes/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { messagesTo, peopleOf, refunds } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paidBookings, winAppeal } from "#test/harness/disputes.ts";
import { syncRefund } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { person } = peopleOf(() => app);
const { booked, settle } = paidBookings(() => app);

describe("refunds during a dispute of the same payment", () => {
  test.each(["win", "lose"] as const)("wait for the outcome: %s", async (outcome) => {
    const one = await booked();
    const dispute = await openDispute(app, await one.ref("balance"));
    await one.refund("balance", 50_000);
    await settle();
    expect(await one.parts()).toEqual([
      ["platform", 37_500],
      ["bank", 62_500],
      ["returning", 50_000],
    ]);
    expect((await one.movements()).slice(2)).toEqual([
      ["dispute_withdrawn", -112_500, 37_500],
      ["refund_waiting", -50_000, 37_500],
    ]);
    await decideDispute(app, dispute, outcome);
    await settle();
    const closed = (await messagesTo(app, one.booking.promoter_email)).filter(
      ({ template }) => template === "dispute_closed",
    );
    const due = "The refund of $500 that waited for this decision is due now. You get an email about it.";
    expect(closed.map(({ text }) => [text.includes(due), text.includes("remains part")])).toEqual([
      [outcome === "win", false],
    ]);
    expect(await one.parts()).toEqual(
      outcome === "win"
        ? [
            ["platform", 37_500],
            ["platform", 62_500],
            ["promoter", 50_000],
          ]
        : [
            ["platform", 37_500],
            ["bank", 112_500],
          ],
    );
  });

  test("above the disputed amount are paid from the rest of the payment, and reach the owed amount together with the dispute", async () => {
    const one = await booked();
    const dispute = await openDispute(app, await one.ref("balance"), "half");
    await one.refund("balance", 100_000);
    await decideDispute(app, dispute, "lose");
    app.clock.advance(hourMs);
    await settle();
    const sent = (await refunds(app, one.booking.id)).toSorted((a, b) => a.amount - b.amount);
    expect(sent.map(({ amount, status }) => [amount, status])).toEqual([
      [43_750, "succeeded"],
      [56_250, "succeeded"],
    ]);
    expect(await one.parts()).toEqual([
      ["platform", 50_000],
      ["bank", 56_250],
      ["promoter", 43_750],
    ]);
    const refunded = (await one.pageOf(one.visitor)).timeline.filter(({ kind }) => kind === "refunded");
    expect(refunded.map(({ text }) => text).toSorted()).toEqual([
      "$437.50 refunded to the payer",
      "$562.50 not refunded again: the bank of the card returned it",
    ]);
    const texts = (await messagesTo(app, one.booking.promoter_email)).map(({ text }) => text.replaceAll(/\s+/g, " "));
    const bankText = texts.find((text) => text.includes("your bank refunded $562.50"));
    expect(bankText).toContain("so we do not send it again. $437.50 is still to be refunded.");
    expect(texts.filter((text) => text.includes("We have sent $437.50"))).toHaveLength(1);
  });

  test("are due again when an appeal wins the money back, until an admin pays them", async () => {
    const one = await booked();
    const dispute = await openDispute(app, await one.ref("balance"));
    await one.refund("balance", 50_000);
    const { user, at: admin } = await person("admin");
    await decideDispute(app, dispute, "lose");
    await winAppeal(app, dispute);
    await settle();
    const alarms = (await messagesTo(app, user.email)).map(({ text }) => text.replaceAll(/\s+/g, " "));
    expect(alarms.join()).toContain("$500.00 of it had completed a refund and is owed to the payer again. Send it, or");
    const owed = [
      ["platform", 37_500],
      ["platform", 62_500],
      ["returning", 50_000],
    ];
    expect(await one.parts()).toEqual(owed);
    const { money, timeline } = await one.pageOf(one.visitor);
    expect(money.parts.map(({ next }) => next)).toEqual(["show", "show", "refund_failed"]);
    expect(timeline.map(({ text }) => text)).toContain(
      "The refund of $500 is due again: the money came back on appeal",
    );
    const listed = async (path: string) => (await admin.json(path)).body["items"] as Record<string, unknown>[];
    const [refund] = await listed("/api/admin/refused-refunds");
    expect(refund).toMatchObject({ booking_number: one.booking.number, amount: 50_000, can_retry: true });
    expect(await listed("/api/admin/attention")).toContainEqual(expect.objectContaining({ kind: "refund", count: 1 }));
    const how = { how: "Bank transfer of 24 November." };
    expect((await admin.json(`/api/admin/refused-refunds/${String(refund?.["id"])}/settle`, how)).status).toBe(200);
    await settle();
    expect(await listed("/api/admin/refused-refunds")).toEqual([]);
    expect(await one.parts()).toEqual([owed[0], owed[1], ["promoter", 50_000]]);
    const sent = (await messagesTo(app, one.booking.promoter_email)).filter(
      ({ template }) => template === "refund_sent",
    );
    expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
      "We pay your refund of $500 in another way",
      "Your bank has refunded $500",
    ]);
    expect(sent.map(({ text }) => text).join()).not.toContain("did not accept");
  });

  test("are due again only when the bank's money arrives after the appeal, and the admins are notified", async () => {
    const one = await booked();
    const dispute = await openDispute(app, await one.ref("balance"));
    await one.refund("balance", 50_000);
    const { user, at: admin } = await person("admin");
    const alarms = async () =>
      (await messagesTo(app, user.email)).map(({ text }) => text.replaceAll(/\s+/g, " ")).join();
    const listed = async () => (await admin.json("/api/admin/refused-refunds")).body["items"];
    await decideDispute(app, dispute, "lose");
    await winAppeal(app, dispute, { isMoneyBack: false });
    await settle();
    expect(await alarms()).toContain("Do not pay it before.");
    expect(await listed()).toEqual([]);
    await winAppeal(app, dispute, { parts: [80_000] });
    await settle();
    expect(await alarms()).toMatch(/\$175\.00 of .+ came back after the appeal\. It is only a part of the refund/);
    expect(await listed()).toEqual([]);
    await winAppeal(app, dispute, { parts: [32_500] });
    await settle();
    expect(await alarms()).toMatch(/\$500\.00 of .+ is owed to the payer again, because .+ Send it, or pay it/);
    expect(await listed()).toMatchObject([{ booking_number: one.booking.number, amount: 50_000 }]);
  });
});

test("shows in the timeline each time that a refund is due again after a dispute of its charge", async () => {
  const one = await booked();
  const first = await openDispute(app, await one.ref("balance"));
  await one.refund("balance", 50_000);
  await decideDispute(app, first, "lose");
  const { gateway } = app.services;
  if (!gateway) throw new Error("this app has no payment provider");
  const { movements, ...reported } = await gateway.retrieveDispute(first);
  await winAppeal(app, first);
  await settle();
  const taken = movements.map((movement) => ({ ...movement, ref: `${movement.ref}_second` }));
  const back = taken.map((movement) => ({
    ...movement,
    ref: `${movement.ref}_back`,
    amount: -movement.amount,
    fee: 0,
  }));
  const second = { ...reported, ref: `${reported.ref}_second` };
  await recordDispute(app.services, gateway, { ...second, status: "lost", movements: taken });
  await settle();
  await recordDispute(app.services, gateway, { ...second, status: "won", movements: [...taken, ...back] });
  await settle();
  const shows = async () => {
    const texts = (await one.pageOf(one.visitor)).timeline.map(({ text }) => text);
    expect(
      texts.filter((text) => text === "The refund of $500 is due again: the money came back on appeal"),
    ).toHaveLength(2);
    expect(texts.filter((text) => text.startsWith("$500 not refunded again"))).toHaveLength(2);
  };
  await shows();
  const made = { ref: "re_dashboard", refundId: null, providerPayment: await one.ref("balance"), amount: 112_500 };
  const now = app.clock.now();
  const succeeded = { state: "succeeded", currency: "usd", reason: null, settled: null, createdAt: now } as const;
  await app.database.transaction((tx) => syncRefund(tx, { ...made, ...succeeded }, now));
  await settle();
  expect((await refunds(app, one.booking.id)).map(({ amount }) => amount)).toEqual([0, 112_500]);
  await shows();
});
