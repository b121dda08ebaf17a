/** A database restored from an older dump, which lacks payments and transfers of the provider. */

import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { dumpDatabase } from "#app/backup/dump.views.ts";
import { advanceClock } from "#app/clock/advance.ts";
import { openDatabase } from "#platform/db/index.ts";
import { reconcile, reconcileRecent } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { automaticCharges } from "#test/harness/automatic-charges.ts";
import { bookingRow, browser, peopleOf, press } from "#test/harness/bookings.ts";
import { longMoveMs } from "#test/harness/clock/clock.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { createDatabase, dropDatabase, withClient } from "#test/served-databases.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const { signed, requested, charges, until, morningBefore } = automaticCharges(() => [app]);
const { person } = peopleOf(() => app);

/** Dumps the app's database. Returns a function that restores it as an app with the same provider. */
async function dump(): Promise<() => Promise<TestApp>> {
  const parts: string[] = [];
  await dumpDatabase(app.database, async (part) => void parts.push(part), { dataDir: app.dataDir, s3: undefined });
  return async () => {
    const server = process.env["DATABASE_URL_TEST"] ?? "";
    const name = `test_${randomBytes(8).toString("hex")}`;
    const url = await createDatabase(server, name);
    closers.push(() => dropDatabase(server, name));
    await withClient(url, (client) => client.query(parts.join("")));
    const database = await openDatabase({ url, poolSize: 5 });
    closers.push(() => database.close());
    const restored = await testApp({ beside: { database, dataDir: app.dataDir, clock: app.clock } });
    closers.push(() => restored.close());
    Object.assign(restored.services, { gateway: app.services.gateway });
    return restored;
  };
}

type Item = { id: string; amount: number; booking_number: string; payer_name: string; payer_email: string };

const listOf = async (restored: TestApp, at: ReturnType<typeof browser>) => {
  const { items } = (await at.json("/api/admin/unreconciled")).body as unknown as { items: Item[] };
  return items.toSorted((one, other) => one.booking_number.localeCompare(other.booking_number));
};
const chargesAtProvider = async (bookingId: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from sandbox_objects where kind = 'payment_intent' and body->'metadata'->>'booking_id' = ${bookingId}
      and body->>'status' = 'succeeded'`.execute(app.database.db);
  return rows.length;
};
const refundsOf = ({ database }: TestApp) => database.db.selectFrom("refunds").selectAll().execute();

test(
  "lists payments after the dump, refunds and charges nothing automatically, and records one again for an admin",
  { timeout: 2 * longMoveMs },
  async () => {
    const admin = await person("admin");
    const later = await requested({ daysAhead: 100 });
    const due = await signed({ daysAhead: 20 });
    const restore = await dump();
    const unknown = await requested({ daysAhead: 110 });
    for (const { visitor, booking } of [later, unknown])
      await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
    await until(await morningBefore(due.booking.id, 14));
    expect(await charges(due.booking.id)).toMatchObject([{ status: "succeeded" }]);
    const paid = [later, due, unknown].map(({ booking, form }) => ({
      booking_number: booking["number"],
      payer_name: "Hannah Whitt",
      payer_email: form.clientEmail,
      amount: booking === due.booking ? 112_500 : 37_500,
    }));
    const lost = paid.toSorted((one, other) => String(one.booking_number).localeCompare(String(other.booking_number)));

    const waiting = await restore();
    const { ran } = await advanceClock(waiting.services, "P40D");
    expect(ran.map(({ name }) => name)).toContain("payment-charges");
    await reconcileRecent(waiting.services);
    const waitingAdmin = browser(waiting, await waiting.signIn(admin.user));
    expect(await listOf(waiting, waitingAdmin)).toMatchObject(lost);
    expect(await refundsOf(waiting)).toEqual([]);
    expect(await chargesAtProvider(due.booking.id)).toBe(2);

    const restored = await restore();
    await automaticCharges(() => [restored]).work();
    await reconcile(restored.services, "nightly");
    expect(await chargesAtProvider(due.booking.id)).toBe(2);
    const at = browser(restored, await restored.signIn(admin.user));
    const items = await listOf(restored, at);
    expect(items).toMatchObject(lost);
    const itemOf = ({ booking }: { booking: Record<string, unknown> }) =>
      items.find((item) => item.booking_number === booking["number"])?.id;
    const act = (of: Parameters<typeof itemOf>[0], what: string, number = of.booking["number"]) =>
      at.json(`/api/admin/unreconciled/${itemOf(of)}/${what}`, {
        reason: "Paid after the dump.",
        ...(what === "apply" ? { number } : {}),
      });
    expect((await act(later, "apply", due.booking["number"])).status).toBe(409);
    expect((await act(unknown, "apply")).status).toBe(404);
    for (const one of [later, due]) expect(await act(one, "apply")).toMatchObject({ status: 200 });
    expect((await act(unknown, "return")).status).toBe(200);
    await restored.settle();
    await submitRefunds(restored.services);
    await restored.settle();
    await reconcile(restored.services);
    await reconcile(restored.services, "nightly");
    await restored.settle();

    expect(await listOf(restored, at)).toEqual([]);
    expect(await refundsOf(restored)).toMatchObject([{ amount: 37_500, status: "succeeded", payment_id: null }]);
    expect(await bookingRow(restored, later.booking.id)).toMatchObject({
      status: expect.stringMatching(/deposit_paid|contract_sent/),
    });
    const row = await bookingRow(restored, due.booking.id);
    expect(row.balance_paid_at).not.toBeNull();
    expect(row.balance_payment_id).toBe((await charges(due.booking.id))[0]?.id);
    await expectSound({ inTx: (work) => restored.database.transaction(work) });
    expect(
      (await verify(restored.database.db)).filter(({ check, count }) => count > 0 && !check.includes("sealed copy")),
    ).toEqual([]);
  },
);
