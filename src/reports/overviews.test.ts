import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ListedBooking } from "#bookings/booking.api.ts";
import type { BookingStatus } from "#bookings/rules.ts";
import type { SavedFilter } from "#bookings/rules/list.rules.ts";
import { accounts, move, post } from "#ledger/index.ts";
import type { Currency } from "#payments/rules.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { paymentOf } from "#test/harness/disputes.ts";
import { planRefund } from "#test/harness/payment-work.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import type { AdminOverview, ArtistOverview } from "./api.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2026-11-21T12:00:00Z") });
});
afterAll(() => app.close());

async function open<T>(role: "admin" | "artist", address: string) {
  const user = await app.make.user({ role });
  const at = browser(app, await app.signIn(user));
  const listed = async (show: SavedFilter) =>
    (await at.json(`/api/${role}/bookings?limit=100&show=${show}`)).body["items"] as ListedBooking[];
  return { user, at, listed, read: async () => (await at.json(address)).body as unknown as T };
}

const artistPage = () => open<ArtistOverview>("artist", "/api/artist/overview");

test("returns what a saved profile still lacks", async () => {
  const { user, read } = await artistPage();
  const artist = await app.make.artist({ userId: user.id });
  expect((await read()).open_steps).toEqual(["media", "payment_account"]);
  const { db } = app.database;
  const store = (urls: { photo_url: string | null; video_url: string | null }) =>
    db.updateTable("artists").set(urls).where("id", "=", artist.id).execute();
  for (const urls of [
    { photo_url: "/files/a.jpg", video_url: null },
    { photo_url: null, video_url: "https://youtu.be/dQw4w9WgXcQ" },
  ]) {
    await store(urls);
    expect((await read()).open_steps).toEqual(["payment_account"]);
  }
  await store({ photo_url: null, video_url: null });
  const picture = { artist_id: artist.id, kind: "photo" as const, url: "/files/a.jpg" };
  await db.insertInto("artist_media").values(picture).execute();
  expect((await read()).open_steps).toEqual(["payment_account"]);
  await sql`insert into artist_connect (artist_id, user_id, provider_account, onboarding_status, updated_at)
    values (${artist.id}, ${user.id}, ${`acct_${artist.id}`}, 'completed', now())`.execute(app.database.db);
  expect((await read()).open_steps).toEqual([]);
});

test("returns the artist's own shows, deposits of this month and open balances", async () => {
  const { user, read } = await artistPage();
  const artist = await app.make.artist({ userId: user.id, location: "Austin, Texas" });
  const at = { artist, fee: 150_000, now: app.clock.now() };
  await app.make.booking({ ...at, status: "initiated", eventDate: dayAhead(app, 12) });
  const next = await app.make.booking({ ...at, status: "contract_sent", eventDate: dayAhead(app, 30) });
  const signed = { ...at, status: "contract_signed" as const };
  await app.make.booking({ ...signed, eventDate: dayAhead(app, 50) });
  const paid = await app.make.booking({ ...signed, eventDate: dayAhead(app, 60), balancePaid: true });
  await app.make.booking({ ...at, status: "canceled", eventDate: dayAhead(app, 70) });
  await app.make.booking({ status: "contract_sent", eventDate: dayAhead(app, 30) });
  const seen = await read();
  expect(seen).toMatchObject({ has_profile: true, upcoming_shows: 3, awaiting_signature: 1, balances: 2, held: [] });
  expect(seen.outstanding).toEqual([{ currency: "usd", amount: 225_000 }]);
  expect(seen.next_show?.id).toBe(next.id);
  expect(seen.ahead.map((show) => show.status)).toEqual([
    "initiated",
    "contract_sent",
    "contract_signed",
    "contract_signed",
  ]);
  expect(seen.ahead.map((show) => show.balance_paid)).toEqual([false, false, false, true]);
  expect(seen.ahead.map((show) => show.kept_cents)).toEqual([0, 37_500, 37_500, 150_000]);
  const { id: paymentId } = await paymentOf(app, paid.id, "balance");
  const refund = { paymentId, amount: 10_000, reason: "The show is shorter.", causeKey: `shorter:${paid.id}` };
  await app.database.transaction((tx) => planRefund(tx, { ...refund, now: app.clock.now() }));
  expect((await read()).ahead[3]).toMatchObject({ balance_paid: true, kept_cents: 140_000, fee_cents: 150_000 });
});

test("counts what the lists show that the artist's overview links to", async () => {
  const { user, read, listed } = await artistPage();
  const artist = await app.make.artist({ userId: user.id, location: "Austin, Texas" });
  const longAgo = new Date(app.clock.now().getTime() - 60 * dayMs);
  const make = (status: BookingStatus, days: number, currency: Currency = "usd") =>
    app.make.booking({ artist, now: longAgo, status, currency, eventDate: dayAhead(app, days) });
  await make("initiated", 10);
  await make("contract_sent", 20);
  await make("deposit_paid", 30, "eur");
  await make("contract_signed", -3);
  const [signed, waiting] = [await make("contract_sent", 40), await make("contract_sent", 50)];
  await sql`insert into contract_signers (contract_id, side, name, signed_at)
    select id, 'artist', 'Night Owls', now() from contracts where booking_id = ${signed.id}`.execute(app.database.db);
  await sql`update contracts set first_signer = 'promoter' where booking_id = ${waiting.id}`.execute(app.database.db);
  const { awaiting_signature: toSign, balances, outstanding } = await read();
  const [needed, unpaid] = [await listed("needs_you"), await listed("unpaid")];
  expect(toSign).toBe(1);
  expect(needed.filter(({ can }) => can.sign)).toHaveLength(toSign);
  const open = unpaid.filter(({ status }) => status !== "initiated");
  expect(balances).toBe(5);
  expect(open).toHaveLength(balances);
  for (const { currency, amount } of outstanding)
    expect(open.reduce((sum, one) => sum + (one.currency === currency ? one.balance_cents : 0), 0)).toBe(amount);
  expect(outstanding.map(({ currency }) => currency)).toEqual(["eur", "usd"]);
});

test("returns no data to an artist account without a profile", async () => {
  const { read } = await artistPage();
  expect(await read()).toMatchObject({ has_profile: false, upcoming_shows: 0, deposits_sum: [], ahead: [] });
});

test("counts the bookings of the last thirty days separately from those before", async () => {
  const { read } = await open<AdminOverview>("admin", "/api/admin/overview");
  const before = await read();
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * dayMs);
  await app.make.booking({ now: app.clock.now(), createdAt: daysAgo(3) });
  await app.make.booking({ now: app.clock.now(), createdAt: daysAgo(40) });
  await app.make.booking({ now: app.clock.now(), createdAt: daysAgo(59) });
  await app.make.booking({ now: app.clock.now(), createdAt: daysAgo(61) });
  const after = await read();
  // Thirty calendar days, including the first and the last.
  expect([after.from, after.to]).toEqual(["2026-10-23", "2026-11-21"]);
  expect(after.bookings - before.bookings).toBe(1);
  expect(after.bookings_before - before.bookings_before).toBe(2);
  const initiated = (page: AdminOverview) => page.by_status.find((one) => one.status === "initiated")?.count ?? 0;
  expect(initiated(after) - initiated(before)).toBe(4);
});

test("counts what the lists of the same days show", async () => {
  const { at, read } = await open<AdminOverview>("admin", "/api/admin/overview");
  const now = app.clock.now();
  const zone = await sql<{ day: Date }>`select '2026-10-23'::timestamp at time zone 'America/New_York' as day`.execute(
    app.database.db,
  );
  const first = zone.rows[0]?.day ?? now;
  const signed = [first, new Date(first.getTime() - 1)];
  for (const createdAt of signed) {
    const { id } = await app.make.booking({ now, createdAt, status: "contract_signed" });
    await app.database.db.updateTable("contracts").set({ signed_at: createdAt }).where("booking_id", "=", id).execute();
  }
  const { from, bookings, contracts_signed: contracts } = await read();
  const totalOf = async (address: string) => (await at.json(`/api/admin/${address}`)).body["total"];
  expect(await totalOf(`bookings?from=${from}`)).toBe(bookings);
  expect(await totalOf(`contracts?status=signed&from=${from}`)).toBe(contracts);
  expect(await totalOf(`bookings?to=2026-10-22`)).toBe(Number(await totalOf("bookings")) - bookings);
  expect([bookings, contracts].every((count) => count > 0)).toBe(true);
});

test("returns the payments of twelve months and the revenue of the thirty days before, less disputed money", async () => {
  const { read } = await open<AdminOverview>("admin", "/api/admin/overview");
  const before = await read();
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * dayMs);
  await app.make.booking({ now: app.clock.now(), status: "deposit_paid", fee: 100_000, createdAt: daysAgo(2) });
  await app.make.booking({ now: app.clock.now(), status: "deposit_paid", fee: 200_000, createdAt: daysAgo(40) });
  const disputed = (kind: "dispute_withdrawn" | "dispute_reinstated", amount: number, at: Date) =>
    app.database.transaction((tx) =>
      post(tx, {
        cause: `test:${kind}`,
        kind,
        at,
        entries: move(amount, "usd", { debit: accounts.disputeInFlight, credit: accounts.pspClearing }),
      }),
    );
  await disputed("dispute_withdrawn", 10_000, daysAgo(40));
  await disputed("dispute_reinstated", -10_000, daysAgo(20));
  const after = await read();
  expect(after.money_in.months.map(({ month }) => month)).toEqual([
    "2025-12",
    "2026-01",
    "2026-02",
    "2026-03",
    "2026-04",
    "2026-05",
    "2026-06",
    "2026-07",
    "2026-08",
    "2026-09",
    "2026-10",
    "2026-11",
  ]);
  const deposits = (page: AdminOverview) => page.money_in.months.slice(-2).map((one) => one.deposit_cents);
  // Forty days ago is in October.
  expect(deposits(after).map((cents, at) => cents - (deposits(before)[at] ?? 0))).toEqual([50_000, 25_000]);
  expect(after.before.revenue - before.before.revenue).toBe(40_000);
});

test("lists late contracts and profile claims for the admin", async () => {
  const { read, at: lists } = await open<AdminOverview>("admin", "/api/admin/overview");
  const late = await app.make.booking({
    now: app.clock.now(),
    status: "deposit_paid",
    createdAt: new Date(app.clock.now().getTime() - 21 * hourMs),
  });
  const fresh = await app.make.booking({
    now: app.clock.now(),
    status: "deposit_paid",
    createdAt: new Date(app.clock.now().getTime() - hourMs),
  });
  const artist = await app.make.artist({ name: "Fathom Line" });
  const claimer = await app.make.user({ role: "artist", name: "Fathom Line" });
  const at = browser(app, await app.signIn(claimer));
  const evidence = "Our own site says so, see the page of dates.";
  expect((await at.json("/api/me/claims", { artistId: artist.id, evidence })).status).toBeLessThan(300);
  const { needs } = await read();
  expect(needs.claims).toBe(1);
  await app.database.db
    .updateTable("users")
    .set({ banned_until: dayAhead(app, 400) })
    .where("id", "=", claimer.id)
    .execute();
  const requesting = await app.make.user({ role: "promoter" });
  const asked = { user_id: requesting.id, created_at: app.clock.now() };
  await app.database.db.insertInto("admin_requests").values(asked).execute();
  expect((await read()).needs).toMatchObject({ claims: 0, admin_requests: 1 });
  expect((await lists.json("/api/admin/admin-requests")).body).toMatchObject({ items: [{}], total: 1 });
  expect((await lists.json("/api/admin/claims")).body).toEqual({ items: [], total: 0 });
  await app.database.db
    .updateTable("users")
    .set({ deleted_at: app.clock.now() })
    .where("id", "=", requesting.id)
    .execute();
  expect((await read()).needs).toMatchObject({ claims: 0, admin_requests: 0 });
  const ids = needs.late_contracts.map((one) => one.id);
  expect(ids).not.toContain(fresh.id);
  expect(ids.length === 5 || ids.includes(late.id)).toBe(true);
  const before = needs.late_count;
  for (let more = 0; more < 6; more += 1)
    await app.make.booking({ now: app.clock.now(), status: "deposit_paid", createdAt: new Date(late.created_at) });
  const { needs: later } = await read();
  expect([later.late_contracts.length, later.late_count]).toEqual([5, before + 6]);
});
