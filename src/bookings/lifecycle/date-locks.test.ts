import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockQueues } from "#calendar/holds/index.ts";
import { insertReservation } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { type Booking, lockBooking } from "../store.ts";
import { releaseHold } from "./checkout-holds.ts";
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
const release = (tx: Tx, { id }: Booking) => releaseHold(tx, id, "artist", app.clock.now());

test.each([
  ["the release of a hold", onHold, release],
  ["the cancellation of a booking on hold", onHold, cancelNow],
  ["the cancellation of a booked date", booked, cancelNow],
])("%s locks the artist's queues before the reservation", async (_name, make, change) => {
  const { id, artist_id: artistId } = await make();
  const reservation = sql`select 1 from date_reservations where booking_id = ${id}`;
  const waits = sql`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and locktype = 'advisory' and not granted`;
  const locked = Promise.withResolvers<void>();
  const other = app.database.transaction(async (tx) => {
    await lockQueues(tx, artistId);
    locked.resolve();
    await expect.poll(async () => (await waits.execute(tx)).rows).toHaveLength(1);
    return sql`${reservation} for update skip locked`.execute(tx);
  });
  await locked.promise;
  const changed = app.database.transaction(async (tx) => {
    const booking = await lockBooking(tx, id);
    if (booking) await change(tx, booking);
  });
  const [{ rows }] = await Promise.all([other, changed]);
  expect(rows).toHaveLength(1);
  expect((await reservation.execute(app.database.db)).rows).toEqual([]);
});
