import { expect, test } from "vitest";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { follow, peopleOf } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paymentOf, winAppeal } from "#test/harness/disputes.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { releasedDeposit } from "#test/harness/payouts.ts";
import { testApp } from "#test/test-app.ts";
import type { MoneyCase } from "./api.ts";
import { moneyCaseKinds } from "./rules.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-12-14T02:00:00Z") }));
const { person } = peopleOf(() => app);
const { at: admin } = await person("admin");

/** Returns the listed cases of a booking. The overview must count as many of each kind. */
async function casesOf(bookingId: string) {
  const items = (await admin.json("/api/admin/money-cases")).body["items"] as (MoneyCase & { due: string | null })[];
  const counted = (await admin.json("/api/admin/attention")).body["items"] as { kind: string; count: number }[];
  for (const kind of moneyCaseKinds)
    expect(counted.find((item) => item.kind === kind)?.count ?? 0).toBe(
      items.filter((item) => item.kind === kind).length,
    );
  const times = items.map(({ due }) => (due === null ? Infinity : new Date(due).getTime()));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  return items.filter((item) => item.booking_id === bookingId);
}

const refuse = () => Promise.reject(new ProviderFailure("refused", "not possible"));

async function payOut(failing: Partial<PaymentGateway> = {}) {
  const { gateway } = app.services;
  await makePayouts({ ...app.services, gateway: gateway && { ...gateway, ...failing } });
  await follow(app);
}

test("lists a payout that cannot be made, then its refused transfer, until it is paid", async () => {
  const { booking, act } = await releasedDeposit(app);
  await payOut({ retrieveAccount: refuse });
  const stuck = { kind: "payout", what: "payout that cannot be made", amount: 33_750, currency: "usd", due: null };
  expect(await casesOf(booking.id)).toMatchObject([
    { ...stuck, booking_number: booking.number, artist_name: act.name, ref: booking.id },
  ]);
  const retry = () => admin.json(`/api/admin/payouts/${booking.id}/retry`, {});
  await retry();
  await payOut({ createTransfer: refuse });
  expect(await casesOf(booking.id)).toMatchObject([{ ...stuck, what: "payout that failed" }]);
  await retry();
  await payOut();
  expect(await casesOf(booking.id)).toEqual([]);
});

test("lists a dispute with its deadline, its loss with the refused deduction, and what an appeal won back", async () => {
  const { booking } = await releasedDeposit(app);
  await payOut();
  const dispute = await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref);
  expect(await casesOf(booking.id)).toMatchObject([
    { kind: "dispute", amount: 37_500, due: expect.any(String), booking_number: booking.number },
  ]);
  await decideDispute(app, dispute, "lose");
  await payOut({ createReversal: refuse });
  expect(await casesOf(booking.id)).toMatchObject([
    { kind: "lost_dispute", amount: 37_500 },
    { kind: "payout", what: "deduction from the artist that failed", amount: 33_750 },
  ]);
  await admin.json(`/api/admin/payouts/${booking.id}/retry`, {});
  await payOut();
  await winAppeal(app, dispute);
  const [regained, ...more] = await casesOf(booking.id);
  expect(more).toEqual([]);
  expect(regained).toMatchObject({ kind: "regained_dispute", amount: 37_500 });
  const { id } = regained as MoneyCase;
  expect((await admin.json(`/api/admin/disputes/${id}/share`, { id, expected_artist_cents: 33_750 })).status).toBe(200);
  expect(await casesOf(booking.id)).toEqual([]);
});
