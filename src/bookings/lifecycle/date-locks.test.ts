import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockQueues } from "#calendar/holds/index.ts";
import { insertReservation } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { type Booking, lockBooking } from "../store.ts";
import { releaseCheckoutHold } from "./checkout-holds.ts";
import { cancel } from "./transitions.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ engine: "postgres" });
});
afterAll(() => app.close());

async function onHold(): Promise<Booking> {
  const booking = await app.make.booking({});
  const now = app.clock.now();
  const hold = { expiresAt: new Date(now.getTime() + hourMs), heldBy: { browser: null, address: null, email: null } };
  const of = { artistId: booking.artist_id, bookingId: booking.id, span: spanOf(booking) };
  await app.database.transaction((tx) => insertReservation(tx, { ...of, hold, now }));
  return booking;
}
const booked = () => app.make.booking({ status: "deposit_paid" });

const cancelNow = (tx: Tx, booking: Booking) =>
  cancel(tx, booking, { by: "system", code: "money_returned", now: app.clock.now() });
const release = (tx: Tx, { id }: Booking) => releaseCheckoutHold(tx, id, "artist", app.clock.now());

test.each([
  ["the release of a hold", onHold, release],
  ["the cancellation of a booking on hold", onHold, cancelNow],
  ["the cancellation of a booked date", booked, cancelNow],
])("%s locks the artist's queues before the reservation", async (_name, make, change) => {
  const { id, artist_id: artistId } = await make();
  const reservation = sql`select 1 from date_reservations where booking_id = ${id}`;
  await overlapping(
    app,
    (tx) => lockQueues(tx, artistId),
    () =>
      app.database.transaction(async (tx) => {
        const booking = await lockBooking(tx, id);
        if (booking) await change(tx, booking);
      }),
    async (tx) => expect((await sql`${reservation} for update skip locked`.execute(tx)).rows).toHaveLength(1),
  );
  expect((await reservation.execute(app.database.db)).rows).toEqual([]);
});
