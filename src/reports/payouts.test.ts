import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { payoutStatuses } from "#payouts/payouts.rules.ts";
import { readSort } from "#platform/list.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { follow } from "#test/harness/bookings.ts";
import { issueDocuments } from "#test/harness/documents.ts";
import { testApp } from "#test/test-app.ts";
import { payoutSorts } from "./lists/payments.rules.ts";
import type { Payouts } from "./own-payments.api.ts";

const app = closeAfterFile(await testApp());

const payoutKeys: Record<string, (one: Payouts["items"][number]) => string | number> = {
  promoter: (one) => one.promoter_name.toLowerCase(),
  event: (one) => one.event_date,
  status: (one) => payoutStatuses.indexOf(one.status),
  gross: (one) => one.gross,
  commission: (one) => one.commission,
  net: (one) => one.amount,
};

async function act() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const headers = await app.signIn(user);
  const read = async (query = "") => {
    const response = await app.request(`/api/artist/payouts${query}`, { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as Payouts;
  };
  return { artist, read, headers };
}

test("returns no earnings and no started onboarding for an artist without money", async () => {
  const { read } = await act();
  const { months, ...figures } = await read();
  expect(months).toHaveLength(12);
  expect(months.some((one) => one.earned_cents + one.held_cents > 0)).toBe(false);
  expect(figures).toEqual({
    has_profile: true,
    other_currencies: [],
    currency: "usd",
    earnings_cents: 0,
    pending_cents: 0,
    earnings: [],
    pending: [],
    completed_count: 0,
    first_year: null,
    onboarding_status: "not_started",
    frozen_until: null,
    bank_return: null,
    ended: null,
    can_connect: true,
    next: null,
    items: [],
    nextCursor: null,
  });
});

test("holds a paid deposit until the event, then lists the release as pending", async () => {
  const { artist, read } = await act();
  const other = await act();
  const booking = await app.make.booking({ artist, status: "contract_signed", balancePaid: true, fee: 150_000 });
  await app.make.booking({ artist: other.artist, status: "deposit_paid" });
  await issueDocuments(app.services);
  const held = await read();
  const year = app.clock.now().getUTCFullYear();
  expect(held).toMatchObject({ earnings_cents: 0, pending_cents: 0, completed_count: 2, first_year: year });
  const month = booking.event_date.slice(0, 7);
  const monthOf = (page: Payouts) => page.months.find((one) => one.month === month);
  expect(monthOf(held)).toEqual({ month, earned_cents: 0, held_cents: 135_000 });
  const line = { booking_id: booking.id, number: booking.number, gross: 150_000, commission: 15_000, amount: 135_000 };
  expect(held.items).toEqual([
    expect.objectContaining({ ...line, status: "held", paid_at: null, is_cancellation_fee: false }),
  ]);
  expect(held.next).toMatchObject({ ...line, status: "held", due_at: held.items[0]?.due_at });
  expect(new Date(held.items[0]?.due_at ?? 0).getTime() - booking.ends_at.getTime()).toBe(48 * hourMs);
  await app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: artist.id,
      currency: "usd",
      commissionBps: booking.commission_bps,
      at: app.clock.now(),
    }),
  );
  const released = await read();
  expect(released).toMatchObject({ earnings_cents: 135_000, pending_cents: 135_000 });
  expect(released.items).toEqual([expect.objectContaining({ ...line, status: "pending", waits_for: "account" })]);
  expect(monthOf(released)).toEqual({ month, earned_cents: 135_000, held_cents: 0 });
});

test("lists earnings in another currency separately, and never adds them", async () => {
  const { artist, read } = await act();
  for (const [currency, eventDate] of [
    ["usd", "2027-05-01"],
    ["eur", "2027-05-08"],
  ] as const) {
    const { id } = await app.make.booking({
      artist,
      status: "contract_signed",
      balancePaid: true,
      fee: 100_000,
      currency,
      eventDate,
    });
    const release = { bookingId: id, artistId: artist.id, currency, commissionBps: 1_000, at: app.clock.now() };
    await app.database.transaction((tx) => releaseHeld(tx, release));
  }
  const { earnings, pending, ...figures } = await read();
  expect(figures).toMatchObject({ currency: "usd", earnings_cents: 90_000, pending_cents: 90_000 });
  const sums = [
    { currency: "eur", amount: 90_000 },
    { currency: "usd", amount: 90_000 },
  ];
  for (const listed of [earnings, pending])
    expect(listed.toSorted((a, b) => a.currency.localeCompare(b.currency))).toEqual(sums);
});

test("reduces the amounts of a booking by a refund after the release", async () => {
  const { artist, read } = await act();
  const booking = await app.make.booking({ artist, status: "contract_signed", balancePaid: true, fee: 150_000 });
  await app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: artist.id,
      currency: "usd",
      commissionBps: booking.commission_bps,
      at: app.clock.now(),
    }),
  );
  const payment = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("booking_id", "=", booking.id)
    .where("kind", "=", "balance")
    .executeTakeFirstOrThrow();
  const providerPayment = payment.provider_payment ?? "";
  await app.services.gateway?.createRefund({ refundId: "", key: randomUUID(), providerPayment, amount: 30_000 });
  await follow(app);
  expect((await read()).items).toEqual([
    expect.objectContaining({ booking_id: booking.id, gross: 120_000, commission: 12_000, amount: 108_000 }),
  ]);
});

test("omits a refunded booking from held and earned amounts", async () => {
  const { artist, read } = await act();
  await app.make.booking({ artist, status: "canceled" });
  expect((await read()).items).toEqual([]);
});

test("returns totals, pages, months and yearly statements that match the ledger to the cent", async () => {
  const { artist, read, headers } = await act();
  const stranger = await act();
  const bookings = [];
  for (let at = 0; at < 7; at++) {
    const fee = 100_001 + at * 33_333;
    const given = {
      status: "contract_signed" as const,
      balancePaid: true,
      fee,
      promoterName: ["Bea", "ann", "Cy"][at % 3] ?? "",
      eventDate: `2027-0${(at % 3) + 1}-1${at}`,
    };
    bookings.push(await app.make.booking({ artist, ...given }));
    await app.make.booking({ artist: stranger.artist, ...given });
  }
  for (const [index, booking] of bookings.entries())
    if (index !== 3)
      await app.database.transaction((tx) =>
        releaseHeld(tx, {
          bookingId: booking.id,
          artistId: artist.id,
          currency: "usd",
          commissionBps: booking.commission_bps,
          // The last second of 2027 and the first of 2028 in New York, the platform's time zone.
          at: new Date(index < 2 ? "2028-01-01T04:59:59Z" : "2028-01-01T05:00:00Z"),
        }),
      );
  const items: Payouts["items"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Payouts = await read(`?limit=2${cursor && `&cursor=${cursor}`}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  for (const order of payoutSorts) {
    const { column, down } = readSort(order);
    const walked: Payouts["items"] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Payouts = await read(`?limit=2&sort=${order}${cursor && `&cursor=${cursor}`}`);
      walked.push(...page.items);
      cursor = page.nextCursor;
    }
    // Each booking once, by the column and then by id, even with equal names, statuses and days.
    const places = walked.map((one) => [payoutKeys[column]?.(one) ?? "", one.booking_id] as const);
    const isAfter = (one: (typeof places)[number], other: (typeof places)[number]) =>
      one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
    const inOrder = places.toSorted((one, other) => (isAfter(one, other) === down ? -1 : 1));
    expect([order, places]).toEqual([order, inOrder]);
    expect(new Set(places.map(([, id]) => id)).size, order).toBe(7);
    const month = (await read(`?month=2027-02&sort=${order}`)).items.map((one) => one.booking_id);
    expect(month, order).toEqual(
      walked.filter((one) => one.event_date.startsWith("2027-02")).map((one) => one.booking_id),
    );
  }
  const { nextCursor: byPromoter } = await read("?limit=2&sort=promoter");
  for (const odd of [`?sort=net&cursor=${byPromoter}`, `?cursor=${byPromoter}`, "?sort=colour"])
    expect((await app.request(`/api/artist/payouts${odd}`, { headers })).status, odd).toBe(400);
  expect(new Set(items.map((one) => one.booking_id))).toEqual(new Set(bookings.map(({ id }) => id)));
  expect(items).toHaveLength(7);
  const sum = (of: Payouts["items"]) =>
    of.filter((one) => one.status !== "held").reduce((all, one) => all + one.amount, 0);
  const { earnings_cents } = await read();
  const { rows } = await sql<{ net: string }>`
    select -sum(amount) as net from ledger_entries where account = ${`artist_payable:${artist.id}`}`.execute(
    app.database.db,
  );
  expect(earnings_cents).toBe(Number(rows[0]?.net));
  expect(sum(items)).toBe(earnings_cents);
  const months = await Promise.all(["01", "02", "03"].map((month) => read(`?month=2027-${month}`)));
  expect(months.map(({ items: found }) => found.length)).toEqual([3, 2, 2]);
  expect(months.reduce((all, { items: found }) => all + sum(found), 0)).toBe(earnings_cents);
  const statement = async (query: string) => {
    const response = await app.request(`/api/artist/payouts.csv${query}`, { headers });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = (await response.text())
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","));
    const total = (column: number) => lines.reduce((all, line) => all + Math.round(Number(line[column]) * 100), 0);
    expect(total(5) - total(6)).toBe(total(7));
    return { count: lines.length, net: total(7) };
  };
  const [all, first, second] = [await statement(""), await statement("?year=2027"), await statement("?year=2028")];
  expect([all.count, first.count, second.count]).toEqual([6, 2, 4]);
  expect([all.net, first.net + second.net]).toEqual([earnings_cents, earnings_cents]);
  expect((await read()).first_year).toBe(2027);
});

test("returns the statement only to artists, and refuses an invalid month or year", async () => {
  const { headers } = await act();
  const promoter = await app.signIn(await app.make.user({ role: "promoter" }));
  const status = async (path: string, who?: { authorization: string }) =>
    (await app.request(`/api/artist/payouts${path}`, who ? { headers: who } : {})).status;
  expect([await status(".csv"), await status(".csv", promoter)]).toEqual([401, 403]);
  for (const odd of [".csv?year=20277", ".csv?year=x", ".csv?artist=1", "?month=2027-13", "?cursor=x", "?limit=0"])
    expect([odd, await status(odd, headers)]).toEqual([odd, 400]);
});

test("names the next payout also of a show before the displayed months", async () => {
  const { artist, read } = await act();
  const { db } = app.database;
  const booking = await app.make.booking({ artist, status: "contract_signed", balancePaid: true, fee: 150_000 });
  const released = { bookingId: booking.id, artistId: artist.id, currency: "usd" };
  await app.database.transaction((tx) =>
    releaseHeld(tx, { ...released, commissionBps: booking.commission_bps, at: app.clock.now() }),
  );
  const ago = (column: string) => sql`${sql.ref(column)} - interval '2 years'`;
  await sql`update bookings set event_date = ${ago("event_date")}, starts_at = ${ago("starts_at")}, ends_at = ${ago("ends_at")}
    where id = ${booking.id}`.execute(db);
  const frozenUntil = new Date(app.clock.now().getTime() + 72 * hourMs);
  await sql`insert into artist_connect (artist_id, user_id, provider_account, onboarding_status, frozen_until, updated_at)
    values (${artist.id}, ${artist.user_id}, ${`acct_${artist.id}`}, 'completed', ${frozenUntil}, now())`.execute(db);
  const { months, next } = await read();
  expect(months.filter(({ earned_cents: earned }) => earned > 0)).toEqual([]);
  expect(next).toMatchObject({ booking_id: booking.id, amount: 135_000, due_at: frozenUntil.toISOString() });
  await sql`update payouts set planned_at = now(), paid_at = now() where booking_id = ${booking.id}`.execute(db);
  expect((await read()).next).toBeNull();
});
