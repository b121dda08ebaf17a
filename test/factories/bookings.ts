import { randomUUID } from "node:crypto";
import { bookingKey, hashOf } from "#bookings/links/access.ts";
import { type BookingStatus, bookingStatuses, policyNamed, quoteFor } from "#bookings/rules.ts";
import { type Booking, insertBooking, lockBooking } from "#bookings/store.ts";
import { insertReservation } from "#calendar/index.ts";
import { spanOf, eventSpan } from "#calendar/time.rules.ts";
import type { Currency } from "#payments/rules.ts";
import { json, type Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { dayIn, addDays } from "#platform/time/calendar.rules.ts";
import { systemClock } from "#platform/time/clock.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { makeArtist } from "./artists.ts";
import { makeContract } from "./contracts.ts";
import { makePayment } from "./payments.ts";

export type MakeBooking = {
  now?: Date;
  id?: string;
  /** The artist. Without one a new artist is made. */
  artist?: { id: string; user_id: string | null; base_rate: number; time_zone: string; name: string };
  artistId?: string;
  status?: BookingStatus;
  promoterUserId?: string | null;
  promoterName?: string;
  promoterEmail?: string;
  /** YYYY-MM-DD. By default 60 days ahead. */
  eventDate?: string;
  eventTime?: string;
  minutes?: number;
  venue?: string;
  fee?: number;
  currency?: Currency;
  balancePaid?: boolean;
  createdAt?: Date;
  /** Adds the verified browser of `bookingKey`, whose cookie opens the booking. */
  keys?: Keys;
};

export async function makeBooking(tx: Tx, given: MakeBooking = {}): Promise<Booking> {
  const now = given.now ?? systemClock.now();
  const artist = given.artist ?? (await artistFor(tx, given.artistId));
  const status = given.status ?? "initiated";
  const date = given.eventDate ?? addDays(dayIn(artist.time_zone, now), status === "completed" ? -30 : 60);
  const minutes = given.minutes ?? 180;
  const span = eventSpan({ date, time: given.eventTime ?? "20:00", zone: artist.time_zone, minutes });
  if ("missing" in span) throw new Error(span.missing.message);
  const id = given.id ?? randomUUID();
  const quote = quoteFor(given.fee ?? artist.base_rate, {
    depositPercent: 25,
    currency: given.currency ?? "usd",
    commissionBps: 1_000,
  });
  const createdAt = given.createdAt ?? new Date(Math.min(now.getTime(), span.startsAt.getTime() - 40 * dayMs));
  const paidAt = new Date(createdAt.getTime() + 600_000);
  const policy = policyNamed("standard");
  await insertBooking(tx, {
    id,
    artist_id: artist.id,
    promoter_user_id: given.promoterUserId ?? null,
    promoter_name: given.promoterName ?? "Hannah Whitt",
    promoter_email: given.promoterEmail ?? `hannah-${id.slice(0, 8)}@whitt.example`,
    promoter_phone: "+1 512 555 0148",
    event_date: date,
    event_time: given.eventTime ?? "20:00",
    event_type: "Wedding",
    guest_count: 180,
    duration: `${minutes} minutes`,
    duration_minutes: minutes,
    special_requests: null,
    venue_name: given.venue ?? "The Waterworks, Austin",
    venue_address: given.venue ?? "The Waterworks, Austin",
    time_zone: artist.time_zone,
    starts_at: span.startsAt,
    ends_at: span.endsAt,
    status,
    ...quote,
    policy_name: policy.name,
    policy: json(policy),
    access_key_hash: given.keys ? hashOf(bookingKey(given.keys, id)) : null,
    verified_key_hash: given.keys ? hashOf(bookingKey(given.keys, id)) : null,
    email_proven_at: given.keys ? createdAt : null,
    created_at: createdAt,
    updated_at: createdAt,
    ...(status === "canceled" ? { canceled_at: paidAt, canceled_by: "system", cancel_code: "expired" } : {}),
    ...(status === "completed" ? { completed_at: new Date(span.endsAt.getTime() + 2 * dayMs) } : {}),
  });
  const booking = await lockBooking(tx, id);
  if (!booking) throw new Error("the booking was not stored");
  if (bookingStatuses[status].order >= 1 && status !== "canceled")
    await makePaid(tx, booking, { paidAt, balance: given.balancePaid ?? status === "completed" });
  await makeContract(tx, (await lockBooking(tx, id)) ?? booking, artist);
  return (await lockBooking(tx, id)) ?? booking;
}

async function artistFor(tx: Tx, artistId: string | undefined) {
  if (!artistId) return makeArtist(tx, { name: `Act ${randomUUID().slice(0, 8)}` });
  return tx.selectFrom("artists").selectAll().where("id", "=", artistId).executeTakeFirstOrThrow();
}

async function makePaid(tx: Tx, booking: Booking, how: { paidAt: Date; balance: boolean }): Promise<void> {
  const taken = await insertReservation(tx, {
    artistId: booking.artist_id,
    bookingId: booking.id,
    span: spanOf(booking),
    now: how.paidAt,
  });
  if (!taken) throw new Error(`the date of booking ${booking.id} is taken`);
  const deposit = await makePayment(tx, {
    bookingId: booking.id,
    kind: "deposit",
    amount: booking.deposit_cents,
    currency: booking.currency,
    at: how.paidAt,
  });
  await tx
    .updateTable("bookings")
    .set({ deposit_paid_at: how.paidAt, deposit_payment_id: deposit.id })
    .where("id", "=", booking.id)
    .execute();
  if (!how.balance || booking.balance_cents === 0) return;
  const at = new Date(how.paidAt.getTime() + dayMs);
  const balance = await makePayment(tx, {
    bookingId: booking.id,
    kind: "balance",
    amount: booking.balance_cents,
    currency: booking.currency,
    at,
  });
  await tx
    .updateTable("bookings")
    .set({ balance_paid_at: at, balance_payment_id: balance.id })
    .where("id", "=", booking.id)
    .execute();
}
