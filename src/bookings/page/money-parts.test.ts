import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { bookingStatusNames } from "../rules.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { artist, person, held } = peopleOf(() => app);

async function readers(given: Parameters<typeof held>[0]) {
  const player = await person("artist");
  const admin = await person("admin");
  const act = await artist({ userId: player.user.id });
  const { booking, visitor } = await held({
    artist: act,
    fee: 150_000,
    now: app.clock.now(),
    eventDate: dayAhead(app, 30),
    ...given,
  });
  const read = async (at: typeof visitor) =>
    (await at.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  const pages = async () => ({
    promoter: await read(visitor),
    artist: await read(player.at),
    admin: await read(admin.at),
  });
  return { booking, visitor, player, pages };
}
const sumOf = ({ money }: BookingPage) => money.parts.reduce((sum, { cents }) => sum + cents, 0);

test.each(bookingStatusNames)("the parts at %s add up to the price for each viewer", async (status) => {
  const { pages } = await readers({ status });
  for (const page of Object.values(await pages())) expect(sumOf(page)).toBe(150_000);
});

test("the artist sees gross and commission with the request, before a payment or signature", async () => {
  const { pages } = await readers({ status: "initiated" });
  const { artist: page, promoter } = await pages();
  expect(page.money).toMatchObject({ fee_cents: 150_000, commission_cents: 15_000, provider_fees: null });
  expect(promoter.money).toMatchObject({ commission_cents: null, artist_cents: null, provider_fees: null });
});

test("the held parts contain the artist's net and the refund of a cancellation, without the commission for the promoter", async () => {
  const { pages } = await readers({ status: "contract_signed", balancePaid: true });
  const { promoter, artist: ofArtist, admin } = await pages();
  expect(ofArtist.money.parts.map(({ held_by, cents, artist_cents }) => [held_by, cents, artist_cents])).toEqual([
    ["platform", 37_500, 33_750],
    ["platform", 112_500, 101_250],
  ]);
  expect(promoter.money.parts.map(({ artist_cents }) => artist_cents)).toEqual([null, null]);
  for (const page of [promoter, ofArtist]) expect(page.money.if_canceled?.refund_cents).toBe(112_500);
  // Only values: an id can contain the same digits.
  expect(JSON.stringify(promoter.money)).not.toMatch(/:(33750|101250|15000|4380)\b/);
  expect(admin.money.provider_fees).toEqual([{ amount_cents: 1_118 + 3_293, currency: "usd" }]);
  expect(ofArtist.money.provider_fees).toBe(null);
});

test("the parts of a canceled booking show where each cent is, before and after the refund", async () => {
  const { booking, visitor, pages } = await readers({ status: "contract_signed", balancePaid: true });
  const done = await visitor.json(`/api/bookings/${booking.id}/cancel`, {
    code: "plans_changed",
    expected_refund_cents: 112_500,
  });
  expect(done.status).toBe(200);
  const { promoter, artist: ofArtist } = await pages();
  const parts = (page: BookingPage) => page.money.parts.map(({ held_by, cents }) => [held_by, cents]);
  expect(parts(ofArtist)).toEqual([
    ["artist_owed", 33_750],
    ["commission", 3_750],
    ["returning", 112_500],
  ]);
  expect(parts(promoter)).toEqual([
    ["released", 37_500],
    ["returning", 112_500],
  ]);
  await submitRefunds(app.services);
  await app.settle();
  expect(parts((await pages()).promoter)).toEqual([
    ["released", 37_500],
    ["promoter", 112_500],
  ]);
});
