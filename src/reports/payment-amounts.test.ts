/**
 * Proves that no total depends on the amounts in the table of payments: after they are erased, every list, overview, export
 * and booking page is the same. The bookings are in two currencies, which are never added.
 */

import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Currency } from "#payments/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { dayAhead, follow, peopleOf } from "#test/harness/bookings.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { artist, person } = peopleOf(() => app);
type At = Awaited<ReturnType<typeof person>>["at"];

async function market() {
  const player = await person("artist");
  const promoter = await person("promoter");
  const admin = await person("admin");
  const act = await artist({ userId: player.user.id });
  const ids: string[] = [];
  const make = async (currency: Currency, given: Parameters<TestApp["make"]["booking"]>[0], days: number) => {
    const shared = { artist: act, promoterUserId: promoter.user.id, now: app.clock.now(), currency };
    const booking = await app.make.booking({ ...shared, fee: 100_000, eventDate: dayAhead(app, days), ...given });
    ids.push(booking.id);
    return booking;
  };
  for (const [currency, day] of [
    ["usd", 10],
    ["eur", 40],
  ] as const) {
    await make(currency, { status: "initiated" }, day);
    await make(currency, { status: "deposit_paid" }, day + 1);
    await make(currency, { status: "contract_signed", balancePaid: true }, day + 2);
    await make(currency, { status: "completed" }, -day);
    const declined = await make(currency, { status: "initiated" }, day + 3);
    await app.database.transaction((tx) =>
      makePayment(tx, {
        bookingId: declined.id,
        kind: "deposit",
        amount: 25_000,
        currency,
        status: "failed",
        at: app.clock.now(),
      }),
    );
    const canceled = await make(currency, { status: "contract_signed", balancePaid: true, fee: 90_000 }, day + 4);
    const { body } = await promoter.at.json(`/api/bookings/${canceled.id}/cancellation`);
    const done = await promoter.at.json(`/api/bookings/${canceled.id}/cancel`, {
      code: "plans_changed",
      expected_refund_cents: body["refund_cents"],
    });
    expect(done.status).toBe(200);
    await submitRefunds(app.services);
    await follow(app);
  }
  return { ids, player: player.at, promoter: promoter.at, admin: admin.at };
}

async function everything({ ids, player, promoter, admin }: Awaited<ReturnType<typeof market>>) {
  const texts: Record<string, string> = {};
  const read = async (who: string, at: At, address: string) => {
    const response = await at.call(address);
    expect(response.status, address).toBe(200);
    const text = await response.text();
    // The time of a response and links with a time are no amounts.
    texts[`${who} ${address}`] = text.replaceAll(/"(url|now)":"[^"]*"/g, "");
  };
  const payments = (await admin.json("/api/admin/payments")).body as unknown as { items: { id: string }[] };
  for (const address of [
    "/api/admin/overview",
    "/api/admin/bookings",
    "/api/admin/payments",
    "/api/admin/payments/totals",
    "/api/admin/bookings.csv",
    "/api/admin/payments.csv",
    ...payments.items.map(({ id }) => `/api/admin/payments/${id}`),
  ])
    await read("admin", admin, address);
  for (const address of ["/api/artist/overview", "/api/artist/bookings", "/api/artist/payouts"])
    await read("artist", player, address);
  for (const address of ["/api/promoter/bookings", "/api/promoter/payments"]) await read("promoter", promoter, address);
  for (const id of ids)
    for (const [who, at] of [
      ["admin", admin],
      ["artist", player],
      ["promoter", promoter],
    ] as const)
      await read(who, at, `/api/bookings/${id}`);
  return texts;
}

test("returns the same totals without the amounts in the table of payments, and never adds currencies", async () => {
  const all = await market();
  const before = await everything(all);
  const overview = JSON.parse(before["admin /api/admin/overview"] ?? "") as {
    revenue: { currency: string; amount: number }[];
  };
  expect(overview.revenue.map(({ currency }) => currency)).toEqual(["eur", "usd"]);
  const [eur, usd] = overview.revenue;
  expect(eur?.amount).toBeGreaterThan(0);
  expect(usd?.amount).toBeGreaterThan(0);
  const artists = JSON.parse(before["artist /api/artist/overview"] ?? "") as {
    outstanding: { currency: string }[];
    deposits_sum: { currency: string }[];
  };
  expect(artists.outstanding.map(({ currency }) => currency).toSorted()).toEqual(["eur", "usd"]);
  const columns = sql`
    select conname from pg_constraint where conrelid = 'payments'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%amount%'`;
  const { rows } = (await columns.execute(app.database.db)) as { rows: { conname: string }[] };
  await app.database.transaction(async (tx) => {
    for (const { conname } of rows) await sql`alter table payments drop constraint ${sql.id(conname)}`.execute(tx);
    await sql`alter table payments alter column amount drop not null, alter column amount_refunded drop not null`.execute(
      tx,
    );
    await sql`update payments set amount = null, amount_refunded = null`.execute(tx);
  });
  const after = await everything(all);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  // The deadline of a balance that is due immediately is the time of the request.
  const still = (text = "") => text.replaceAll(/"act_due":\{[^}]*\}/g, '"act_due":{}');
  for (const [address, text] of Object.entries(before)) expect(still(after[address]), address).toBe(still(text));
});
