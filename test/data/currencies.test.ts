/**
 * The platform's currency applies to new requests. A booking keeps its currency for every payment, refund and payout. A
 * second market in euros changes no total in dollars in any list, overview, payout or export, because currencies are never
 * added.
 */

import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import type { Currency } from "#payments/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const adminHeaders = await app.signIn(await app.make.user({ role: "admin" }));
const admin = browser(app, adminHeaders);
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));
const { artist, person } = peopleOf(() => app);

async function setCurrency(currency: Currency): Promise<void> {
  const { version } = (await admin.json("/api/admin/settings")).body as unknown as { version: number };
  const body = { values: { currency }, version };
  const response = await app.request("/api/admin/settings", { method: "PATCH", body, headers: adminHeaders });
  expect(response.status, await response.text()).toBe(200);
}

/** Returns what the provider was sent and has moved for a booking: kind and currency, in order. */
async function atProvider(bookingId: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with mine as (select id, kind, body, created_at from sandbox_objects where body::text like ${`%${bookingId}%`})
    select kind || ' ' || coalesce(body->'session'->>'currency', body->>'currency', '') as what from mine
      where kind in ('checkout.session', 'payment_intent', 'transfer')
    union all select 'charge ' || (c.body->>'currency') from sandbox_objects c join mine i on i.kind = 'payment_intent'
      and c.body->>'payment_intent' = i.id where c.kind = 'charge'
    union all select 'refund ' || (r.body->>'currency') from sandbox_objects r join mine i on i.kind = 'payment_intent'
      and r.body->>'payment_intent' = i.id where r.kind = 'refund' order by 1`.execute(app.database.db);
  return rows.map(({ what }) => what);
}
const currenciesOf = async (bookingId: string) =>
  new Set((await atProvider(bookingId)).map((what) => what.split(" ").at(-1)));

/** Makes every state of money in one currency, for the same users. */
async function market(currency: Currency, people: Awaited<ReturnType<typeof readers>>, day: number): Promise<void> {
  const { act, promoter } = people;
  const make = (given: Parameters<TestApp["make"]["booking"]>[0], days: number) =>
    app.make.booking({
      artist: act,
      promoterUserId: promoter.user.id,
      now: app.clock.now(),
      currency,
      // Different fees, so sums of the two markets differ and do not cancel out.
      fee: currency === "usd" ? 100_000 : 77_700,
      eventDate: dayAhead(app, days),
      ...(days > 0 ? { createdAt: app.clock.now() } : {}),
      ...given,
    });
  await make({ status: "initiated" }, day);
  await make({ status: "deposit_paid" }, day + 1);
  await make({ status: "contract_signed" }, day + 2);
  await make({ status: "contract_signed", balancePaid: true }, day + 3);
  const played = await make({ status: "completed" }, -day);
  const release = { bookingId: played.id, artistId: act.id, currency, commissionBps: 1_000, at: app.clock.now() };
  await app.database.transaction((tx) => releaseHeld(tx, release));
  const canceled = await make({ status: "contract_signed", balancePaid: true }, day + 4);
  const address = `/api/bookings/${canceled.id}`;
  const { body } = await promoter.at.json(`${address}/cancellation`);
  const expected = { code: "plans_changed", expected_refund_cents: body["refund_cents"] };
  expect((await promoter.at.json(`${address}/cancel`, expected)).status).toBe(200);
  await submitRefunds(app.services);
  await follow(app);
}

async function readers() {
  const player = await person("artist");
  const promoter = await person("promoter");
  return { player, promoter, act: await artist({ userId: player.user.id }) };
}

type Sum = { where: string; currency: string; figures: unknown };

/** Returns every object of a response that names a currency and is no list row: the totals. */
function sumsIn(where: string, value: unknown): Sum[] {
  if (Array.isArray(value)) return value.flatMap((one) => sumsIn(where, one));
  if (typeof value !== "object" || value === null || "id" in value || "booking_id" in value) return [];
  const { currency, items: _items, ...rest } = value as Record<string, unknown>;
  const inner = Object.entries(rest).flatMap(([name, one]) => sumsIn(`${where}.${name}`, one));
  // Counts of bookings and payments include every currency.
  const figures = Object.entries(rest).filter(([name, one]) => typeof one === "number" && !/count|version/.test(name));
  return typeof currency === "string" && figures.length > 0 ? [{ where, currency, figures }, ...inner] : inner;
}

/** Returns the displayed totals, the money of each month, and the sums of the exports' lines. */
async function figures({ player, promoter }: Awaited<ReturnType<typeof readers>>): Promise<Sum[]> {
  const found: Sum[] = [];
  const read = async (at: ReturnType<typeof browser>, address: string) => {
    const { status, body } = await at.json(address);
    expect(status, address).toBe(200);
    found.push(...sumsIn(address, body));
    const { money_in: moneyIn } = body as { money_in?: { currency: string; months: unknown[] } };
    if (moneyIn) found.push({ where: `${address}.money_in`, currency: moneyIn.currency, figures: moneyIn.months });
  };
  for (const address of ["/api/admin/overview", "/api/admin/bookings", "/api/admin/payments/totals"])
    await read(admin, address);
  for (const address of ["/api/artist/overview", "/api/artist/bookings", "/api/artist/payouts"])
    await read(player.at, address);
  for (const address of ["/api/promoter/bookings", "/api/promoter/payments"]) await read(promoter.at, address);
  for (const name of ["bookings", "payments", "documents"]) {
    const address = `/api/admin/${name}.csv`;
    const lines = (await (await admin.call(address)).text()).replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(lines[0]?.split(",").filter((column) => column === "Currency")).toHaveLength(1);
    for (const currency of ["usd", "eur"])
      found.push({
        where: address,
        currency,
        figures: lines.filter((line) => line.includes(`,${currency},`)).toSorted(),
      });
    // Every line has one currency, and none is a total.
    expect(lines.filter((line) => /,(usd|eur),/.test(line))).toHaveLength(lines.length - 1);
  }
  return found;
}

test("changes no total in dollars by a second market in euros, and lists its totals separately", async () => {
  const people = await readers();
  await market("usd", people, 10);
  const before = await figures(people);
  await market("eur", people, 40);
  const after = await figures(people);
  const of = (all: readonly Sum[], currency: string) => all.filter((one) => one.currency === currency);
  expect(of(before, "usd").length).toBeGreaterThan(8);
  expect(of(after, "usd")).toEqual(of(before, "usd"));
  const places = (all: readonly Sum[]) => new Set(all.map(({ where }) => where));
  // The overview's earlier days and the payouts' totals are in the platform's currency only.
  const platformOnly = ["/api/admin/overview.before", "/api/admin/overview.money_in", "/api/artist/payouts"];
  expect(places(of(after, "eur"))).toEqual(
    new Set([...places(of(after, "usd"))].filter((where) => !platformOnly.includes(where))),
  );

  await setCurrency("eur");
  const payouts = (await people.player.at.json("/api/artist/payouts")).body;
  expect(payouts).toMatchObject({
    currency: "eur",
    pending_cents: 69_930,
    earnings_cents: 69_930,
    other_currencies: ["usd"],
  });
  const { money_in: moneyIn } = (await admin.json("/api/admin/overview")).body;
  expect(moneyIn).toMatchObject({ currency: "eur", other_currencies: ["usd"] });
  await setCurrency("usd");
  expect((await people.player.at.json("/api/artist/payouts")).body).toMatchObject({
    currency: "usd",
    pending_cents: 90_000,
    earnings_cents: 90_000,
  });
});

test("retains a request's currency through checkout, balance, payout and refund after a change of the setting", async () => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id });
  const opened = (await player.at.json("/api/artist/payment-account", {})).body["url"];
  await app.server.inject({ method: "POST", url: `${new URL(String(opened)).pathname}/complete` });
  const requestBooking = async (days: number) => {
    const visitor = browser(app);
    const { body } = await visitor.requestBooking({ artistId: act.slug, eventDate: dayAhead(app, days) });
    return { visitor, booking: body };
  };
  await setCurrency("usd");
  const dollars = await requestBooking(9);
  await setCurrency("eur");
  await app.database.db.updateTable("artists").set({ price_currency: "eur" }).where("id", "=", act.id).execute();
  const euros = await requestBooking(11);
  const pairs = [
    ["usd", dollars],
    ["eur", euros],
  ] as const;
  // Each is paid while the platform's currency is the other one.
  for (const [currency, { visitor, booking }] of pairs) {
    await setCurrency(currency === "usd" ? "eur" : "usd");
    expect(booking["currency"]).toBe(currency);
    await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
    await admin.json("/api/dev/clock", { advance: "PT1H" });
    const tokens = await tokensOf(app, booking.id);
    const guest = signingCalls(app);
    for (const key of [tokens.promoter, tokens.artist_token]) await guest.openAndSign(key);
    await app.settle();
    const balance = { bookingId: booking.id, isDeposit: false };
    await press(app, (await visitor.json("/api/functions/create-checkout", balance)).body["url"], "pay");
    expect(await bookingRow(app, booking.id)).toMatchObject({
      status: "contract_signed",
      currency,
      balance_paid_at: expect.any(Date),
    });
    expect(await currenciesOf(booking.id)).toEqual(new Set([currency]));
  }
  const address = `/api/bookings/${euros.booking.id}`;
  const { refund_cents: expected_refund_cents } = (await player.at.json(`${address}/cancellation`)).body;
  const canceled = { code: "cannot_perform", note: null, expected_refund_cents };
  const { status } = await player.at.json(`${address}/cancel`, canceled);
  expect(status).toBe(200);
  await submitRefunds(app.services);
  await follow(app);
  expect((await admin.json("/api/dev/clock", { advance: "P13D" })).status).toBe(200);
  expect(await bookingRow(app, dollars.booking.id)).toMatchObject({ status: "completed" });
  expect(await atProvider(dollars.booking.id)).toContain("transfer usd");
  expect(await atProvider(euros.booking.id)).toContain("refund eur");
  for (const [currency, { booking }] of pairs) {
    expect(await currenciesOf(booking.id)).toEqual(new Set([currency]));
    const { rows } = await sql<{ currency: string }>`
      select currency from payments where booking_id = ${booking.id}
      union select currency from payouts where booking_id = ${booking.id}
      union select e.currency from ledger_entries e join ledger_groups g on g.id = e.group_id where g.booking_id = ${booking.id}
      union select currency from documents where booking_id = ${booking.id}`.execute(app.database.db);
    expect(rows).toEqual([{ currency }]);
  }
  await setCurrency("usd");
});
