import { afterAll, beforeAll, expect, test } from "vitest";
import { makePayment } from "#test/factories/payments.ts";
import { bookingRow, browser, press } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import type { ListedPayment, PaymentDetails, PaymentTotals } from "./payments.api.ts";

let app: TestApp;
let admin: ReturnType<typeof browser>;
beforeAll(async () => {
  app = await testApp();
  admin = browser(app, await app.signIn(await app.make.user({ role: "admin" })));
});
afterAll(() => app.close());

const pay = (given: Parameters<typeof makePayment>[1]) => app.database.transaction((tx) => makePayment(tx, given));

type Page = { items: ListedPayment[]; total: number; capped: boolean };
const read = async <T>(address: string) => {
  const { status, body } = await admin.json(address);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as T;
};
const list = (query = "") => read<Page>(`/api/admin/payments${query}`);

test("payments are listed newest first with artist, promoter, event and provider, 25 a page", async () => {
  const artist = await app.make.artist({ name: "Copper Canyon", baseRate: 123_450 });
  const days = Array.from({ length: 27 }, (_, at) => at);
  for (const day of days)
    await app.make.booking({
      artist,
      status: "deposit_paid",
      promoterName: `Promoter ${day}`,
      eventDate: new Date(app.clock.now().getTime() + (60 + day) * 86_400_000).toISOString().slice(0, 10),
      createdAt: new Date(app.clock.now().getTime() - (day + 1) * 3_600_000),
    });
  const first = await list();
  expect([first.items.length, first.total, first.capped]).toEqual([25, 27, false]);
  expect(first.items[0]).toMatchObject({
    kind: "deposit",
    amount: 30_863,
    refunded_cents: 0,
    currency: "usd",
    status: "succeeded",
    provider: "sandbox",
    provider_ref: expect.stringMatching(/^cs_/),
    artist: { name: "Copper Canyon" },
    booking: { promoter_name: "Promoter 0", number: expect.stringMatching(/^SD-/) },
  });
  const second = await list("?page=2");
  expect(second.items.map((one) => one.booking.promoter_name)).toEqual(["Promoter 25", "Promoter 26"]);
  expect((await list("?page=3")).items).toEqual([]);
});

test("a search finds artist, promoter, venue, number and a whole provider reference; a status narrows", async () => {
  const artist = await app.make.artist({ name: "Zephyr Quartet" });
  const booking = await app.make.booking({
    artist,
    status: "deposit_paid",
    promoterName: "Ximena Prall",
    venue: "Under_score Hall",
  });
  const { number } = await bookingRow(app, booking.id);
  const ids = async (query: string) => (await list(query)).items.map((one) => one.booking.id);
  for (const text of ["ZEPHYR q", "ximena", "Under_SCORE", number, number.slice(3).toLowerCase()])
    expect(await ids(`?search=${encodeURIComponent(text)}`), text).toEqual([booking.id]);
  expect(await ids("?search=underxscore")).toEqual([]);
  const [payment] = (await list(`?search=${number}`)).items;
  expect(await ids(`?search=${payment?.provider_ref}`)).toEqual([booking.id]);
  expect(await ids(`?search=${number}&status=succeeded`)).toEqual([booking.id]);
  expect(await ids(`?search=${number}&status=refunded`)).toEqual([]);
  expect((await admin.json("/api/admin/payments?status=lost")).status).toBe(400);
  expect((await admin.json("/api/admin/payments?page=0")).status).toBe(400);
});

test("the revenue is captured minus refunded by the ledger, each currency for itself", async () => {
  const before = await read<PaymentTotals>("/api/admin/payments/totals");
  const booking = await app.make.booking({ status: "initiated" });
  const payment = { bookingId: booking.id, kind: "deposit" as const };
  await pay({ ...payment, amount: 10_001, status: "succeeded" });
  await pay({ ...payment, amount: 5_000, status: "refunded" });
  await pay({ ...payment, amount: 7_000, status: "failed" });
  await pay({ ...payment, kind: "balance", amount: 777, currency: "eur", status: "succeeded" });
  const after = await read<PaymentTotals>("/api/admin/payments/totals");
  const usd = (totals: PaymentTotals) => totals.revenue.find((sum) => sum.currency === "usd");
  expect((usd(after)?.captured ?? 0) - (usd(before)?.captured ?? 0)).toBe(15_001);
  expect((usd(after)?.refunded ?? 0) - (usd(before)?.refunded ?? 0)).toBe(5_000);
  expect((usd(after)?.amount ?? 0) - (usd(before)?.amount ?? 0)).toBe(10_001);
  expect(after.revenue.find((sum) => sum.currency === "eur")).toMatchObject({ amount: 777 });
  expect(after.transactions - before.transactions).toBe(4);
  const failed = (totals: PaymentTotals) => totals.by_status.find((one) => one.status === "failed")?.count ?? 0;
  expect(failed(after) - failed(before)).toBe(1);
});

test("a payment opens with the provider's ids, its refunds, and postings that sum to zero", async () => {
  const booking = await app.make.booking({ status: "initiated" });
  const { id } = await pay({ bookingId: booking.id, kind: "deposit", amount: 9_900, status: "refunded" });
  const found = await read<PaymentDetails>(`/api/admin/payments/${id}`);
  expect(found).toMatchObject({ id, refunded_cents: 9_900, provider_payment: expect.stringMatching(/^pi_/) });
  expect(found.refunds).toMatchObject([{ amount: 9_900, status: "succeeded" }]);
  expect(found.postings.map((one) => one.kind)).toContain("charge");
  for (const { entries } of found.postings) expect(entries.reduce((sum, one) => sum + one.amount, 0)).toBe(0);
  expect((await admin.json("/api/admin/payments/00000000-0000-4000-8000-000000000000")).status).toBe(404);
});

test("a deposit that is paid at the checkout is in the list", async () => {
  const artist = await app.make.artist();
  const visitor = browser(app);
  const { body: booking } = await visitor.ask({ artistId: artist.slug });
  const { body: opened } = await visitor.checkout(booking);
  await press(app, opened["checkout_url"], "pay");
  await app.settle();
  const { number } = await bookingRow(app, booking.id);
  expect((await list(`?search=${number}`)).items).toMatchObject([{ status: "succeeded", booking: { id: booking.id } }]);
});

test.each(["", "/totals", "/00000000-0000-4000-8000-000000000000"])(
  "/api/admin/payments%s is closed to strangers and to other roles",
  async (rest) => {
    expect((await browser(app).json(`/api/admin/payments${rest}`)).status).toBe(401);
    for (const role of ["artist", "promoter"] as const) {
      const headers = await app.signIn(await app.make.user({ role }));
      expect((await browser(app, headers).json(`/api/admin/payments${rest}`)).status).toBe(403);
    }
  },
);
