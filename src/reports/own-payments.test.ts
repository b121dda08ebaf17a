import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { browser } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { PromoterPayment } from "./own-payments.api.ts";

const app = closeAfterFile(await testApp());

type Page = { items: PromoterPayment[]; total: number; sums: { currency: string; amount: number }[] };

async function promoter() {
  const user = await app.make.user({ role: "promoter" });
  const at = browser(app, await app.signIn(user));
  const list = async (query = "") => {
    const { status, body } = await at.json(`/api/promoter/payments${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as unknown as Page;
  };
  return { id: user.id, list };
}

test("lists only the payments of the promoter's own bookings, newest payment first", async () => {
  const [one, other] = [await promoter(), await promoter()];
  const early = await app.make.booking({
    promoterUserId: one.id,
    status: "deposit_paid",
    createdAt: new Date(app.clock.now().getTime() - 48 * hourMs),
  });
  const late = await app.make.booking({ promoterUserId: one.id, status: "deposit_paid" });
  await app.make.booking({ promoterUserId: other.id, status: "deposit_paid" });
  const { items, total, sums } = await one.list();
  expect(items.map((item) => item.booking.id)).toEqual([late.id, early.id]);
  expect(total).toBe(2);
  expect(sums).toEqual([{ currency: "usd", amount: early.deposit_cents + late.deposit_cents }]);
  expect((await one.list(`?search=${late.number}`)).items.map((item) => item.booking.id)).toEqual([late.id]);
  expect((await one.list("?status=failed")).total).toBe(0);
  expect((await one.list("?sort=paid")).items.map((item) => item.booking.id)).toEqual([early.id, late.id]);
  expect(items[0]).toMatchObject({
    kind: "deposit",
    amount: late.deposit_cents,
    refunded_cents: 0,
    refunding_cents: 0,
    currency: "usd",
    status: "succeeded",
    booking: { number: late.number, event_date: late.event_date, venue_name: late.venue_name },
  });
  expect((await other.list()).items).toHaveLength(1);
  expect(await (await promoter()).list()).toMatchObject({ items: [], total: 0, sums: [] });
});

test("lists an unpaid attempt among the payments by its start", async () => {
  const { id, list } = await promoter();
  const booking = await app.make.booking({ promoterUserId: id, status: "contract_signed", balancePaid: true });
  await app.database.transaction((tx) =>
    makePayment(tx, {
      bookingId: booking.id,
      kind: "balance",
      amount: 100,
      currency: "usd",
      at: new Date(app.clock.now().getTime() + 48 * hourMs),
      status: "failed",
    }),
  );
  const all = (await list()).items.map((item) => item.id);
  expect(all).toHaveLength(3);
  expect((await list("?page=2")).items).toEqual([]);
  expect((await list()).items[0]).toMatchObject({ status: "failed", declined: true, payment_date: null });
});
