import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, follow, peopleOf } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paymentOf } from "#test/harness/disputes.ts";
import { planRefund } from "#test/harness/payment-work.ts";
import { testApp } from "#test/test-app.ts";
import type { PromoterPayment } from "../own-payments.api.ts";
import type { ListedPayment, PaymentTotals } from "./payments.api.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { artist, held, person } = peopleOf(() => app);

test("reports refunds, lost and withheld payments apart, in the totals and in the export", async () => {
  const headers = await app.signIn(await app.make.user({ role: "admin" }));
  const player = await person("artist");
  const deposits = async () => (await player.at.json("/api/artist/overview")).body;
  const { booking } = await held({
    artist: await artist({ userId: player.user.id }),
    fee: 150_000,
    status: "contract_signed",
    balancePaid: true,
    now: app.clock.now(),
    eventDate: dayAhead(app, 30),
  });
  const totals = async () => {
    const { body } = await browser(app, headers).json("/api/admin/payments/totals");
    return (body as unknown as PaymentTotals).revenue;
  };
  const platform = async () => {
    const { body } = await browser(app, headers).json("/api/admin/payments/totals");
    return (body as unknown as PaymentTotals).platform;
  };
  const disputed = async () => {
    const { body } = await browser(app, headers).json("/api/admin/payments");
    const { items } = body as unknown as { items: ListedPayment[] };
    return items.filter(({ has_open_dispute }) => has_open_dispute).map(({ kind }) => kind);
  };
  const dispute = await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref);
  const sums = { currency: "usd", captured: 150_000, refunded: 0, lost: 0, withheld: 37_500, amount: 112_500 };
  expect(await totals()).toEqual([sums]);
  expect(await disputed()).toEqual(["deposit"]);
  expect(await deposits()).toMatchObject({ deposits: 1, deposits_sum: [{ currency: "usd", amount: 37_500 }] });
  await decideDispute(app, dispute, "lose");
  expect(await deposits()).toMatchObject({ deposits: 0, deposits_sum: [{ currency: "usd", amount: 0 }] });
  expect(await totals()).toEqual([{ ...sums, lost: 37_500, withheld: 0 }]);
  const [own] = await platform();
  expect(own).toMatchObject({ currency: "usd", commission: 0, losses: 0, held: 112_500, owed: 0 });
  expect(own?.fees).toBeGreaterThan(0);
  expect(await disputed()).toEqual([]);
  const response = await app.request("/api/admin/payments.csv", { headers });
  const [head = "", ...rows] = (await response.text()).trimEnd().split("\r\n");
  const at = head.split(",").indexOf("Refunded");
  expect(head.split(",")[at + 1]).toBe("Lost in disputes");
  expect(
    rows
      .map((row) =>
        row
          .split(",")
          .slice(at - 1, at + 2)
          .join(" "),
      )
      .toSorted(),
  ).toEqual(["1125.00 0.00 0.00", "375.00 0.00 375.00"]);
  const list = await (await app.request("/api/admin/bookings.csv", { headers })).text();
  expect(list.split("\r\n")[0]).toContain(",Paid,Refunded,Lost in disputes,");
  expect(list.split("\r\n").find((row) => row.includes(booking.number))).toContain(",1500.00,0.00,375.00,");
});

test("lists refunds and lost disputes of the promoter's payments apart, so that lists, totals, page and exports agree", async () => {
  const { user, at } = await person("promoter");
  const { booking } = await held({
    artist: await artist(),
    promoterUserId: user.id,
    fee: 150_000,
    status: "contract_signed",
    balancePaid: true,
    now: app.clock.now(),
    eventDate: dayAhead(app, 30),
  });
  const { ref: providerPayment } = await paymentOf(app, booking.id, "balance");
  await app.services.gateway?.createRefund({ refundId: "", key: randomUUID(), providerPayment, amount: 30_000 });
  await follow(app);
  await decideDispute(app, await openDispute(app, providerPayment, "half"), "lose");
  // Not sent yet, so it does not count as refunded, but the totals do not contain it any more.
  const { id: paymentId } = await paymentOf(app, booking.id, "deposit");
  const waiting = { paymentId, amount: 10_000, reason: "A test", causeKey: booking.id, now: app.clock.now() };
  await app.database.transaction((tx) => planRefund(tx, waiting));
  const { body } = await at.json("/api/promoter/payments");
  const { items, sums } = body as unknown as { items: PromoterPayment[]; sums: object[] };
  const [deposit, balance] = ["deposit", "balance"].map((kind) => items.find((one) => one.kind === kind));
  expect(deposit).toMatchObject({ amount: 37_500, refunded_cents: 0, refunding_cents: 10_000 });
  expect(balance).toMatchObject({
    amount: 112_500,
    refunded_cents: 30_000,
    refunding_cents: 0,
    disputed_cents: 56_250,
  });
  const left = 150_000 - 30_000 - 56_250 - 10_000;
  expect(sums).toEqual([{ currency: "usd", amount: left }]);
  const bookings = (await at.json("/api/promoter/bookings")).body as { summary?: { sums: object[] } };
  expect(bookings.summary?.sums).toMatchObject([{ currency: "usd", paid_cents: left }]);
  expect((await at.json(`/api/bookings/${booking.id}`)).body["money"]).toMatchObject({ kept_cents: left });
  const exported = async (list: string, columns: string[]) => {
    const [head = "", ...rows] = (await (await at.call(`/api/promoter/${list}.csv`)).text()).trimEnd().split("\r\n");
    // Counted from the end, because the venue before the amounts contains a comma.
    const from = head.split(",").length - head.split(",").indexOf(columns[0] ?? "");
    expect(head.split(",").slice(-from).slice(0, columns.length)).toEqual(columns);
    return rows.map((row) => row.split(",").slice(-from).slice(0, columns.length).join(" ")).toSorted();
  };
  const returned = ["Refunded", "Returned by the bank"];
  expect(await exported("payments", ["Amount", ...returned])).toEqual(["1125.00 300.00 562.50", "375.00 0.00 0.00"]);
  expect(await exported("bookings", ["Paid", ...returned])).toEqual(["1500.00 300.00 562.50"]);
});
