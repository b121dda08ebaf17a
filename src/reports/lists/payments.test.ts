import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { bookingRow, browser, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { paymentsWhere } from "./payments-search.views.ts";
import type { ListedPayment, PaymentDetails, PaymentTotals } from "./payments.api.ts";

const app = closeAfterFile(await testApp());
const admin = browser(app, await app.signIn(await app.make.user({ role: "admin" })));

const pay = (given: Parameters<typeof makePayment>[1]) => app.database.transaction((tx) => makePayment(tx, given));
const payReleased = async (given: Omit<Parameters<typeof makePayment>[1], "status">) => {
  const made = await pay({ ...given, status: "failed" });
  const ended = { decline_code: null, last_error: "The payment was canceled." };
  await app.database.db.updateTable("payments").set(ended).where("id", "=", made.id).execute();
  return made;
};

type Page = { items: ListedPayment[]; total: number; capped: boolean };
const read = async <T>(address: string) => {
  const { status, body } = await admin.json(address);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as T;
};
const list = (query = "") => read<Page>(`/api/admin/payments${query}`);

test("lists 25 payments a page, newest first, with artist, promoter, event and provider", async () => {
  const artist = await app.make.artist({ name: "Copper Canyon", baseRate: 123_450 });
  const days = Array.from({ length: 27 }, (_, at) => at);
  for (const day of days)
    await app.make.booking({
      artist,
      status: "deposit_paid",
      promoterName: `Promoter ${day}`,
      eventDate: new Date(app.clock.now().getTime() + (60 + day) * dayMs).toISOString().slice(0, 10),
      createdAt: new Date(app.clock.now().getTime() - (day + 1) * hourMs),
    });
  const first = await list();
  expect([first.items.length, first.total, first.capped]).toEqual([25, 27, false]);
  expect(first.items[0]).toMatchObject({
    kind: "deposit",
    amount: 30_863,
    refunded_cents: 0,
    refunding_cents: 0,
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

test("searches artist, promoter, venue, number and provider reference, and filters by status", async () => {
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

describe("payment search", () => {
  const odd = 112_507;
  const ids = async (search: string, more = "") =>
    (await list(`?search=${encodeURIComponent(search)}${more}`)).items.map((one) => one.booking.id);
  let id = "";
  let payment: { provider_ref: string | null; provider_payment: string | null };
  beforeAll(async () => {
    const booking = await app.make.booking({ status: "initiated", promoterEmail: "Ada.Quill@harbour-hall.example" });
    id = booking.id;
    await pay({ bookingId: id, kind: "deposit", amount: odd, status: "succeeded" });
    payment = await app.database.db
      .selectFrom("payments")
      .select(["provider_ref", "provider_payment"])
      .where("booking_id", "=", id)
      .executeTakeFirstOrThrow();
  });

  test.each(["1,125.07", "1125.07", "$1,125.07", "$ 1125.07", "USD 1,125.07"])("finds the amount %s", async (text) => {
    expect(await ids(text)).toEqual([id]);
  });

  test("finds a part of the promoter's email and of each provider reference", async () => {
    for (const text of [
      "ada.quill@harbour-hall.example",
      "QUILL@harbour",
      payment.provider_ref ?? "",
      payment.provider_ref?.slice(-8) ?? "",
    ])
      expect(await ids(text), text).toEqual([id]);
    expect(await ids(payment.provider_payment?.slice(3) ?? "")).toEqual([id]);
    expect(await ids("%%%%")).toEqual([]);
  });

  test("filters by the first and the last day in the platform's zone, in list, export and totals", async () => {
    const day = "2027-01-31";
    const payment_date = new Date("2027-02-01T02:14:03Z");
    await app.database.db.updateTable("payments").set({ payment_date }).where("booking_id", "=", id).execute();
    expect((await list("?search=1125.07")).items).toMatchObject([{ day }]);
    const paidOn = async (from: string) =>
      (await read<PaymentTotals>(`/api/admin/payments/totals?from=${from}&to=${from}`)).transactions;
    expect([await paidOn(day), await paidOn("2027-02-01")]).toEqual([1, 0]);
    expect(await ids("1125.07", `&from=${day}&to=${day}`)).toEqual([id]);
    const before = new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);
    expect(await ids("1125.07", `&to=${before}`)).toEqual([]);
    expect((await admin.json("/api/admin/payments?from=yesterday")).status).toBe(400);
    const exported = async (lastDay: string) => {
      const response = await admin.call(`/api/admin/payments.csv?search=1125.07&to=${lastDay}`);
      expect(response.status).toBe(200);
      return (await response.text()).split("\r\n").filter((line) => line.includes("1125.07"));
    };
    expect(await exported(day)).toEqual([expect.stringContaining(",2027-01-31 21:14:03,")]);
    expect(await exported(before)).toEqual([]);
  });

  test("uses indexes", async () => {
    const plan = await app.database.transaction(async (tx) => {
      await sql`savepoint before`.execute(tx);
      const { rows: named } = await sql<{ names: string }>`
        select string_agg(column_name, ', ') as names from information_schema.columns
         where table_name = 'bookings' and is_generated = 'NEVER' and is_identity = 'NO'`.execute(tx);
      const names = named[0]?.names ?? "";
      await sql`insert into bookings (${sql.raw(names)}) select ${sql.raw(names)} from (select r.* from bookings b, generate_series(1, 2000) n,
          lateral jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'promoter_email', md5(n::text) || '@example.test', 'promoter_name', md5(n::text))) r where b.id = ${id}) copied`.execute(
        tx,
      );
      await sql`analyze bookings`.execute(tx);
      await sql`insert into payments overriding user value select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'booking_id', b.id,
          'amount', 1000 + b.sequence_number, 'provider_ref', 'cs_' || md5(b.number), 'provider_payment', 'pi_' || md5(b.number)))).*
        from payments p, bookings b where p.booking_id = ${id} and b.promoter_email like '%@example.test'`.execute(tx);
      await sql`analyze payments, bookings`.execute(tx);
      // PostgreSQL reads a table of this size faster without an index, so only index searches are allowed here.
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_indexscan = off`.execute(tx);
      const where = paymentsWhere({ search: "9446ef30" }, "UTC", 1_001);
      const amount = paymentsWhere({ search: "1,125.00" }, "UTC", 1_001);
      const { rows } = await sql`explain select p.id from payments p where ${where}`.execute(tx);
      const { rows: more } = await sql`explain select p.id from payments p where ${amount}`.execute(tx);
      await sql`rollback to savepoint before`.execute(tx);
      return JSON.stringify([rows, more]);
    });
    for (const index of [
      "payments_references",
      "payments_payer_email",
      "bookings_promoter_email",
      "payments_amount",
      "bookings_search",
    ])
      expect(plan).toContain(index);
  });
});

test("filters held, refunded, disputed and declined payments, in the list and in its export", async () => {
  const { db } = app.database;
  const promoterName = "Saved Filters";
  const booking = (status: "deposit_paid" | "initiated") => app.make.booking({ status, promoterName });
  const [held, over, other] = [
    await booking("deposit_paid"),
    await booking("deposit_paid"),
    await booking("initiated"),
  ];
  await db.updateTable("bookings").set({ status: "completed" }).where("id", "=", over.id).execute();
  const payment = { bookingId: other.id, kind: "deposit" as const, amount: 40_000 };
  const { id: disputed } = await pay({ ...payment, status: "refunded" });
  const { id: declined } = await pay({ ...payment, status: "failed" });
  const { id: released } = await payReleased(payment);
  const { id: returned } = await pay({ ...payment, status: "refunded" });
  await db.updateTable("refunds").set({ amount: 0 }).where("payment_id", "=", returned).execute();
  await sql`insert into disputes (provider_ref, provider_payment, payment_id, booking_id, amount, currency, reason, status, opened_at)
    select 'dp_saved', provider_payment, id, booking_id, amount, currency, 'fraudulent', 'needs_response', created_at from payments
     where id = ${disputed}`.execute(db);
  const found = async (show: string) =>
    (await list(`?search=saved+filters&show=${show}`)).items.map(({ id, booking: { id: of } }) => [id, of]);
  expect((await found("held")).map(([, of]) => of)).toEqual([held.id]);
  expect(await found("refunds")).toEqual([[disputed, other.id]]);
  expect(await found("disputed")).toEqual([[disputed, other.id]]);
  expect(await found("declined")).toEqual([[declined, other.id]]);
  const failed = (await list("?search=saved+filters&status=failed")).items;
  expect(new Map(failed.map((one) => [one.id, one.declined]))).toEqual(
    new Map([
      [declined, true],
      [released, false],
    ]),
  );
  const csv = await (await admin.call("/api/admin/payments.csv?search=saved+filters&show=declined")).text();
  expect(csv.trimEnd().split("\r\n")).toHaveLength(2);
  expect((await admin.json("/api/admin/payments?show=mine")).status).toBe(400);
});

test("returns the revenue as captured minus refunded by the ledger, per currency", async () => {
  const before = await read<PaymentTotals>("/api/admin/payments/totals");
  const booking = await app.make.booking({ status: "initiated" });
  const payment = { bookingId: booking.id, kind: "deposit" as const };
  await pay({ ...payment, amount: 10_001, status: "succeeded" });
  await pay({ ...payment, amount: 5_000, status: "refunded" });
  await pay({ ...payment, amount: 7_000, status: "failed" });
  await payReleased({ ...payment, amount: 7_000 });
  await pay({ ...payment, kind: "balance", amount: 777, currency: "eur", status: "succeeded" });
  const after = await read<PaymentTotals>("/api/admin/payments/totals");
  const usd = (totals: PaymentTotals) => totals.revenue.find((sum) => sum.currency === "usd");
  expect((usd(after)?.captured ?? 0) - (usd(before)?.captured ?? 0)).toBe(15_001);
  expect((usd(after)?.refunded ?? 0) - (usd(before)?.refunded ?? 0)).toBe(5_000);
  expect((usd(after)?.amount ?? 0) - (usd(before)?.amount ?? 0)).toBe(10_001);
  expect(after.revenue.find((sum) => sum.currency === "eur")).toMatchObject({ amount: 777 });
  expect(after.transactions - before.transactions).toBe(5);
  const failed = (totals: PaymentTotals) => totals.by_status.find((one) => one.status === "failed");
  expect((failed(after)?.count ?? 0) - (failed(before)?.count ?? 0)).toBe(2);
  expect((failed(after)?.declined ?? 0) - (failed(before)?.declined ?? 0)).toBe(1);
});

test("returns a payment with the provider's ids, its refunds, and postings that sum to zero", async () => {
  const booking = await app.make.booking({ status: "initiated" });
  const { id } = await pay({ bookingId: booking.id, kind: "deposit", amount: 9_900, status: "refunded" });
  const found = await read<PaymentDetails>(`/api/admin/payments/${id}`);
  expect(found).toMatchObject({ id, refunded_cents: 9_900, provider_payment: expect.stringMatching(/^pi_/) });
  expect(found.refunds).toMatchObject([{ amount: 9_900, status: "succeeded" }]);
  expect(found.postings.map((one) => one.kind)).toContain("charge");
  for (const { entries } of found.postings) expect(entries.reduce((sum, one) => sum + one.amount, 0)).toBe(0);
  expect((await admin.json("/api/admin/payments/00000000-0000-4000-8000-000000000000")).status).toBe(404);
});

test("lists a deposit that is paid in the checkout", async () => {
  const artist = await app.make.artist();
  const visitor = browser(app);
  const { body: booking } = await visitor.requestBooking({ artistId: artist.slug });
  const { body: opened } = await visitor.checkout(booking);
  await press(app, opened["checkout_url"], "pay");
  await app.settle();
  const { number } = await bookingRow(app, booking.id);
  expect((await list(`?search=${number}`)).items).toMatchObject([{ status: "succeeded", booking: { id: booking.id } }]);
});

test.each(["", "/totals", "/00000000-0000-4000-8000-000000000000"])(
  "refuses /api/admin/payments%s to other callers and roles",
  async (rest) => {
    expect((await browser(app).json(`/api/admin/payments${rest}`)).status).toBe(401);
    for (const role of ["artist", "promoter"] as const) {
      const headers = await app.signIn(await app.make.user({ role }));
      expect((await browser(app, headers).json(`/api/admin/payments${rest}`)).status).toBe(403);
    }
  },
);
