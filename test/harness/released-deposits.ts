import { releaseHeld } from "#payments/index.ts";
import type { TestApp } from "#test/test-app.ts";
import { browser, peopleOf, press } from "./bookings.ts";

/** Opens the artist's payout account at the sandbox. */
export async function openPayoutAccount(app: TestApp, artist: ReturnType<typeof browser>): Promise<void> {
  const { body } = await artist.json("/api/artist/payment-account", {});
  await app.server.inject({ method: "POST", url: `${new URL(String(body["url"])).pathname}/complete` });
}

/** Makes a booking whose deposit of $375 is paid and released, nine tenths to the artist. */
export async function releasedDeposit(app: TestApp) {
  const { artist, person } = peopleOf(() => app);
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id, baseRate: 150_000 });
  await openPayoutAccount(app, at);
  const visitor = browser(app);
  const booking = (await visitor.requestBooking({ artistId: act.slug })).body;
  await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  const released = { bookingId: booking.id, artistId: act.id, currency: "usd", commissionBps: 1_000 };
  await app.database.transaction((tx) => releaseHeld(tx, { ...released, at: app.clock.now() }));
  return { user, at, act, booking };
}
