/** An artist's earnings: from the ledger, their own, gross less commission. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { follow } from "#test/harness/bookings.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import type { Payouts } from "./own-payments.api.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function act() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const headers = await app.signIn(user);
  const read = async () => {
    const answer = await app.request("/api/artist/payouts", { headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Payouts;
  };
  return { artist, read };
}

test("an artist without money has earned nothing, and onboarding has not started", async () => {
  const { read } = await act();
  expect(await read()).toEqual({
    currency: "usd",
    earnings_cents: 0,
    pending_cents: 0,
    completed_count: 0,
    onboarding_status: "not_started",
    frozen_until: null,
    can_connect: true,
    items: [],
  });
});

test("a paid deposit is held until the event; what is released is earned and waits to be paid out", async () => {
  const { artist, read } = await act();
  const other = await act();
  const booking = await app.make.booking({ artist, status: "contract_signed", balancePaid: true, fee: 150_000 });
  await app.make.booking({ artist: other.artist, status: "deposit_paid" });
  const held = await read();
  expect(held).toMatchObject({ earnings_cents: 0, pending_cents: 0, completed_count: 2 });
  const line = { booking_id: booking.id, number: booking.number, gross: 150_000, commission: 15_000, amount: 135_000 };
  expect(held.items).toEqual([expect.objectContaining({ ...line, status: "held", paid_at: null })]);
  expect(new Date(held.items[0]?.due_at ?? 0).getTime() - booking.ends_at.getTime()).toBe(48 * 3_600_000);
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
});

test("a refund after the release makes the figures of its booking smaller", async () => {
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

test("a refunded booking is no transaction: nothing of it is held or earned", async () => {
  const { artist, read } = await act();
  await app.make.booking({ artist, status: "canceled" });
  expect((await read()).items).toEqual([]);
});
