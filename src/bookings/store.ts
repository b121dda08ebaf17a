/** SQL that writes or locks this room's tables. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import { type BookingStatus, holdLimits } from "./rules.ts";
import { signalBooking } from "./signals.ts";

type Row = Selectable<DB["bookings"]>;
/** A booking with its facts and its snapshot. */
export type Booking = Omit<Row, "status"> & { status: BookingStatus };

const minuteMs = 60_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isId = (text: string) => uuid.test(text);

/** Reads a booking without locking it. */
export const findBooking = async (reader: Reader, id: string): Promise<Booking | undefined> =>
  isId(id)
    ? ((await reader.selectFrom("bookings").selectAll().where("id", "=", id).executeTakeFirst()) as Booking | undefined)
    : undefined;

/** Locks a booking; every decision about it stands on this row. */
export const lockBooking = async (tx: Tx, id: string): Promise<Booking | undefined> =>
  isId(id)
    ? ((await tx.selectFrom("bookings").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()) as
        | Booking
        | undefined)
    : undefined;

/** Stores a request; undefined when a booking with the same form key is there. */
export const insertBooking = async (tx: Tx, row: Insertable<DB["bookings"]>): Promise<Booking | undefined> =>
  (await tx
    .insertInto("bookings")
    .values(row)
    .onConflict((on) => on.column("form_key").doNothing())
    .returningAll()
    .executeTakeFirst()) as Booking | undefined;

export const findByFormKey = async (tx: Tx, formKey: string): Promise<Booking | undefined> =>
  (await tx.selectFrom("bookings").selectAll().where("form_key", "=", formKey).executeTakeFirst()) as
    | Booking
    | undefined;

type Change = Partial<
  Pick<
    Booking,
    | "status"
    | "canceled_at"
    | "canceled_by"
    | "cancel_reason"
    | "deposit_paid_at"
    | "deposit_payment_id"
    | "balance_paid_at"
    | "balance_payment_id"
    | "completed_at"
  >
>;

/** Writes facts and status of a locked booking as one new version; whoever has it in a list hears of it. */
export async function changeBooking(tx: Tx, booking: Booking, fields: Change, at: Date): Promise<void> {
  const version = booking.version + 1;
  await tx
    .updateTable("bookings")
    .set({ ...fields, version, updated_at: at })
    .where("id", "=", booking.id)
    .execute();
  Object.assign(booking, fields, { version });
  await signalBooking(tx, booking.id);
}

/** Gives the unattached requests of a proven mailbox to its account. */
export async function attachRequests(tx: Tx, owner: { userId: string; email: string }): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("bookings")
    .set({ promoter_user_id: owner.userId })
    .where(sql<string>`lower(promoter_email)`, "=", owner.email.toLowerCase())
    .where("promoter_user_id", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export type DateReservation = Selectable<DB["date_reservations"]>;
/** Who holds: a browser, an address and a mailbox; empty ones are unknown. */
export type HeldBy = Readonly<{ browser: string | null; address: string | null; email: string }>;
type Span = Readonly<{ reservedFrom: Date; reservedTo: Date }>;

const rangeOf = (span: Span) => sql<string>`tstzrange(${span.reservedFrom}, ${span.reservedTo}, '[)')`;

/** A hold lives until its checkout ends, and five minutes longer while nobody has confirmed that. */
export const deadHoldsBefore = (now: Date) => new Date(now.getTime() - holdLimits.graceMinutes * minuteMs);

/** When a hold is over at the latest. */
export const heldUntil = (expiresAt: Date): Date => new Date(expiresAt.getTime() + holdLimits.graceMinutes * minuteMs);

/** The reservation of a booking, locked. */
export const lockReservation = (tx: Tx, bookingId: string): Promise<DateReservation | undefined> =>
  tx.selectFrom("date_reservations").selectAll().where("booking_id", "=", bookingId).forUpdate().executeTakeFirst();

/** Inserts a reservation; false when another one overlaps it. The exclusion constraint decides, whoever asks at the same moment. */
export async function insertReservation(
  tx: Tx,
  reservation: {
    artistId: string;
    bookingId: string;
    span: Span;
    hold?: { expiresAt: Date; heldBy: HeldBy };
    now: Date;
  },
): Promise<boolean> {
  const stored = await tx
    .insertInto("date_reservations")
    .values({
      artist_id: reservation.artistId,
      booking_id: reservation.bookingId,
      kind: reservation.hold ? "hold" : "booked",
      during: rangeOf(reservation.span),
      expires_at: reservation.hold?.expiresAt ?? null,
      held_by_browser: reservation.hold?.heldBy.browser ?? null,
      held_by_address: reservation.hold?.heldBy.address ?? null,
      held_by_email: reservation.hold?.heldBy.email ?? null,
      created_at: reservation.now,
    })
    .onConflict((on) => on.doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

/** Makes a hold firm: the date is sold. */
export const confirmReservation = (tx: Tx, reservationId: string) =>
  tx
    .updateTable("date_reservations")
    .set({ kind: "booked", expires_at: null, held_by_browser: null, held_by_address: null, held_by_email: null })
    .where("id", "=", reservationId)
    .execute();

/** A hold whose checkout was never opened may start its half hour anew. */
export const prolongHold = (tx: Tx, reservationId: string, expiresAt: Date) =>
  tx
    .updateTable("date_reservations")
    .set({ expires_at: expiresAt })
    .where("id", "=", reservationId)
    .where("kind", "=", "hold")
    .execute();

/** Removes a booking's reservation of its date. A hold is remembered, so that the same person cannot renew it at once. */
export async function removeReservation(tx: Tx, bookingId: string, now: Date): Promise<DateReservation | undefined> {
  const reservation = await tx
    .deleteFrom("date_reservations")
    .where("booking_id", "=", bookingId)
    .returningAll()
    .executeTakeFirst();
  if (reservation?.kind === "hold") await rememberHold(tx, reservation, now);
  return reservation;
}

const rememberHold = (tx: Tx, reservation: DateReservation, now: Date) =>
  sql`
    insert into past_holds (artist_id, event_date, held_by_browser, held_by_address, held_by_email, ended_at)
    select ${reservation.artist_id}::uuid, event_date, ${reservation.held_by_browser}::text, ${reservation.held_by_address}::text, ${reservation.held_by_email}::text, ${now}::timestamptz
    from bookings where id = ${reservation.booking_id}`.execute(tx);

/** Removes holds of an artist that outlived their checkout by the grace, and returns their bookings. */
export async function removeDeadHolds(tx: Tx, artistId: string, now: Date): Promise<string[]> {
  const dead = await tx
    .deleteFrom("date_reservations")
    .where("artist_id", "=", artistId)
    .where("kind", "=", "hold")
    .where("expires_at", "<=", deadHoldsBefore(now))
    .returningAll()
    .execute();
  for (const reservation of dead) await rememberHold(tx, reservation, reservation.expires_at ?? now);
  return dead.map((reservation) => reservation.booking_id);
}

/** Makes people who ask at the same moment under one of the same three keys wait for each other. */
export async function lockHeldBy(tx: Tx, heldBy: HeldBy): Promise<void> {
  const keys = [heldBy.browser, heldBy.address, heldBy.email].filter((key) => key !== null).sort();
  for (const key of keys) await sql`select pg_advisory_xact_lock(hashtextextended(${`hold ${key}`}, 0))`.execute(tx);
}

const isHeldBy = (heldBy: HeldBy) => sql<boolean>`
  (held_by_browser = ${heldBy.browser}::text or held_by_address = ${heldBy.address}::text or held_by_email = ${heldBy.email}::text)`;

/** The open holds under any of a person's keys, but for those of one booking. */
export async function openHoldsOf(tx: Tx, heldBy: HeldBy, but: string, now: Date) {
  const { rows } = await sql<{
    booking_id: string;
    artist_id: string;
    event_date: string;
    browser: boolean;
    address: boolean;
    email: boolean;
  }>`
    select c.booking_id, c.artist_id, b.event_date,
      coalesce(c.held_by_browser = ${heldBy.browser}::text, false) as browser,
      coalesce(c.held_by_address = ${heldBy.address}::text, false) as address,
      coalesce(c.held_by_email = ${heldBy.email}::text, false) as email
    from date_reservations c join bookings b on b.id = c.booking_id
    where c.kind = 'hold' and c.booking_id <> ${but} and c.expires_at > ${deadHoldsBefore(now)}::timestamptz and ${isHeldBy(heldBy)}`.execute(
    tx,
  );
  return rows;
}

/** When a person's last hold of this artist and date ended, within the renewal pause. */
export async function recentHoldEnd(
  tx: Tx,
  heldBy: HeldBy,
  date: { artistId: string; eventDate: string },
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ ended_at: Date | null }>`
    select max(ended_at) as ended_at from past_holds
    where artist_id = ${date.artistId} and event_date = ${date.eventDate}::date
      and ended_at > ${new Date(now.getTime() - holdLimits.renewalMinutes * minuteMs)}::timestamptz and ${isHeldBy(heldBy)}`.execute(
    tx,
  );
  return rows[0]?.ended_at ?? undefined;
}

/** Stores a pay link by its hash. */
export const insertPayLink = (tx: Tx, link: { hash: Uint8Array; bookingId: string; expiresAt: Date; now: Date }) =>
  tx
    .insertInto("pay_links")
    .values({ hash: link.hash, booking_id: link.bookingId, expires_at: link.expiresAt, created_at: link.now })
    .execute();

/** Uses a pay link up; false when it is unknown, of another booking, over or used. */
export async function takePayLink(tx: Tx, link: { hash: Uint8Array; bookingId: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("pay_links")
    .set({ used_at: link.now })
    .where("hash", "=", link.hash)
    .where("booking_id", "=", link.bookingId)
    .where("used_at", "is", null)
    .where("expires_at", ">", link.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
