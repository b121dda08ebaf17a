/** The states of a booking in which the calls of money-calls.ts are accepted. */

import { sql } from "kysely";
import { releaseHeld } from "#payments/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { sentContract } from "#test/harness/contracts.ts";
import { openDispute, paymentOf } from "#test/harness/disputes.ts";
import type { TestApp } from "#test/test-app.ts";

/** Makes a booking with its guest, artist and amounts. `played`: both parts are paid. */
export async function scene(app: TestApp, state: "asked" | "booked" | "signed" | "played") {
  const people = peopleOf(() => app);
  const player = await people.person("artist");
  const artist = await people.artist({ userId: player.user.id });
  const { booking, visitor } = await people.held({
    artist,
    now: app.clock.now(),
    createdAt: app.clock.now(),
    ...(state === "booked" ? { status: "deposit_paid" as const } : {}),
    ...(state === "signed" || state === "played"
      ? { status: "contract_signed" as const, balancePaid: state === "played" }
      : {}),
  });
  const { held_cents: held = 0 } = ((await visitor.json(`/api/bookings/${booking.id}`)).body["money"] ?? {}) as {
    held_cents?: number;
  };
  return { booking, guest: visitor, artist: player.at, act: artist, held, bookingId: booking.id };
}
export const admin = async (app: TestApp) => (await peopleOf(() => app).person("admin")).at;

/** Moves the end of the event to an hour ago. */
export const letPass = (app: TestApp, bookingId: string) => {
  const before = (hours: number) => new Date(app.clock.now().getTime() - hours * hourMs);
  return app.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ starts_at: before(4), ends_at: before(1) })
      .where("id", "=", bookingId)
      .execute(),
  );
};

/** Makes a signed booking whose balance reminders have ended, so the artist decides. */
export async function unpaid(app: TestApp) {
  const made = await scene(app, "signed");
  await app.database.transaction((tx) =>
    tx
      .insertInto("balance_schedules")
      .values({ booking_id: made.bookingId, started_at: app.clock.now(), last_step: "decision" })
      .execute(),
  );
  return made;
}

/** Makes a contract without signatures, and an admin who marks it as signed. */
export async function unsigned(app: TestApp) {
  const { booking, contractId } = await sentContract(app);
  const { user, at } = await peopleOf(() => app).person("admin");
  return { bookingId: booking.id, contractId, adminId: user.id, at };
}

export async function disputeOf(app: TestApp, bookingId: string) {
  const ref = await openDispute(app, (await paymentOf(app, bookingId, "deposit")).ref);
  const { id } = await app.database.db
    .selectFrom("disputes")
    .select("id")
    .where("booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return { id, ref };
}

export const release = (app: TestApp, { booking }: Awaited<ReturnType<typeof scene>>) =>
  app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: booking.artist_id,
      currency: booking.currency,
      commissionBps: booking.commission_bps,
      at: app.clock.now(),
    }),
  );

/** Stores that the provider refused the transfers of a released booking. Returns their sum. */
export const refusePayout = (app: TestApp, bookingId: string): Promise<number> =>
  app.database.transaction(async (tx) => {
    const { amount } = await tx
      .updateTable("payouts")
      .set({ planned_at: app.clock.now() })
      .where("booking_id", "=", bookingId)
      .returning("amount")
      .executeTakeFirstOrThrow();
    await sql`insert into transfers (payout_id, payment_id, provider_payment, amount, currency, status)
      select p.id, x.id, x.provider_payment, p.amount::bigint * x.amount / sum(x.amount) over (), p.currency, 'failed'
        from payouts p join payments x on x.booking_id = p.booking_id where p.booking_id = ${bookingId}`.execute(tx);
    return amount;
  });
