import { type NotNull, type Selectable, sql } from "kysely";
import { rowsOf, updateById, type DB, type Reader, sentWithNext, type Tx } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { expiredHoldsBefore, type HoldEndedBy, holdLimits } from "./checkout-hold.rules.ts";
import { type EventSpan, withBuffer } from "./time.rules.ts";
import { type Range, rangeOf } from "./views.ts";

export type DateReservation = Selectable<DB["date_reservations"]> & { booking_id: string };
/** The keys of a date's hold: a browser, an address and a mailbox. Null is unknown. */
export type HeldBy = Readonly<{ browser: string | null; address: string | null; email: string | null }>;

export const lockReservation = (tx: Tx, bookingId: string): Promise<DateReservation | undefined> =>
  tx
    .selectFrom("date_reservations")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .$narrowType<{ booking_id: NotNull }>()
    .forUpdate()
    .executeTakeFirst();

/** Inserts a reservation with the artist's travel and set-up. Returns false if another one or a blocked time overlaps it: the exclusion constraint `one_reservation_per_date` (migrations/0700_calendar_entries.sql) decides between parallel requests. */
export async function insertReservation(
  tx: Tx,
  reservation: {
    artistId: string;
    bookingId: string;
    span: EventSpan;
    hold?: { expiresAt: Date; heldBy: HeldBy };
    now: Date;
  },
): Promise<boolean> {
  const { span } = reservation;
  const stored = await tx
    .insertInto("date_reservations")
    .values({
      artist_id: reservation.artistId,
      booking_id: reservation.bookingId,
      kind: reservation.hold ? "hold" : "booked",
      during: rangeOf(withBuffer(span, await artistSettings(tx, reservation.artistId))),
      span: rangeOf({ from: span.startsAt, to: span.endsAt }),
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

/** Blocks a time of the artist. Returns undefined if a show or a hold overlaps it. */
export const insertBlockedTime = (
  tx: Tx,
  blocked: { artistId: string; from: Date; to: Date; note: string; now: Date },
): Promise<{ id: string } | undefined> =>
  tx
    .insertInto("date_reservations")
    .values({
      artist_id: blocked.artistId,
      kind: "blocked",
      during: rangeOf(blocked),
      span: rangeOf(blocked),
      note: blocked.note,
      created_at: blocked.now,
    })
    .onConflict((on) => on.doNothing())
    .returning("id")
    .executeTakeFirst();

export const lockBlockedTimes = (tx: Tx, artistId: string, after: Date) =>
  rowsOf<Range & { id: string; note: string | null }>(tx)`
    select id, lower(during) as from, upper(during) as to, note from date_reservations
    where artist_id = ${artistId} and kind = 'blocked' and upper(during) > ${after}::timestamptz order by id for update`;

/** Moves a blocked time under a new id, which is its UID in feeds: calendars remove the old entry. */
export const moveBlockedTime = (tx: Tx, id: string, to: Range) =>
  updateById(tx, "date_reservations", id, {
    id: sql<string>`gen_random_uuid()`,
    during: rangeOf(to),
    span: rangeOf(to),
  });

export const removeBlockedTime = async (tx: Tx, artistId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom("date_reservations")
    .where("id", "=", id)
    .where("artist_id", "=", artistId)
    .where("kind", "=", "blocked")
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

export const confirmReservation = (tx: Tx, reservationId: string) =>
  updateById(tx, "date_reservations", reservationId, {
    kind: "booked",
    expires_at: null,
    held_by_browser: null,
    held_by_address: null,
    held_by_email: null,
  });

/** Restarts the half hour of a hold whose checkout was never opened. */
export const prolongHold = (tx: Tx, reservationId: string, expiresAt: Date) =>
  tx
    .updateTable("date_reservations")
    .set({ expires_at: expiresAt })
    .where("id", "=", reservationId)
    .where("kind", "=", "hold")
    .execute();

/** Records who is ending a hold, before the provider is called to end its page. The first one stays. */
export const markReleasedBy = (tx: Tx, bookingId: string, by: HoldEndedBy) =>
  tx
    .updateTable("date_reservations")
    .set({ released_by: by })
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "hold")
    .where("released_by", "is", null)
    .execute();

/** Removes a booking's reservation. A hold is stored with who ended it, because the same user cannot renew it immediately. */
export async function removeReservation(
  tx: Tx,
  bookingId: string,
  now: Date,
  by: HoldEndedBy = "checkout",
): Promise<void> {
  const reservation = await tx
    .deleteFrom("date_reservations")
    .where("booking_id", "=", bookingId)
    .returningAll()
    .$narrowType<{ booking_id: NotNull }>()
    .executeTakeFirst();
  if (reservation?.kind === "hold") await rememberHold(tx, reservation, now, by);
}

// The recorded user wins: the provider's report of the ended page may arrive first.
const rememberHold = (tx: Tx, hold: DateReservation, endedAt: Date, by: HoldEndedBy) =>
  sql`
    insert into past_holds (artist_id, event_date, held_by_browser, held_by_address, held_by_email, booking_id, opened_at, ended_at, ended_by)
    select ${hold.artist_id}::uuid, event_date, ${hold.held_by_browser}::text, ${hold.held_by_address}::text, ${hold.held_by_email}::text,
      id, ${hold.created_at}::timestamptz, ${endedAt}::timestamptz, ${hold.released_by ?? by}::text
    from bookings where id = ${hold.booking_id}`.execute(tx);

/** Removes holds of an artist that outlived their checkout by the grace, and returns their bookings. */
export async function removeExpiredHolds(tx: Tx, artistId: string, now: Date) {
  const dead = await tx
    .deleteFrom("date_reservations")
    .where("artist_id", "=", artistId)
    .where("kind", "=", "hold")
    .where("expires_at", "<=", expiredHoldsBefore(now))
    .where("booking_id", "is not", null)
    .returningAll()
    .$narrowType<{ booking_id: NotNull }>()
    .execute();
  const ended = dead.map((reservation) => ({ reservation, endedAt: reservation.expires_at ?? now }));
  for (const { reservation, endedAt } of ended) await rememberHold(tx, reservation, endedAt, "clock");
  return ended.map(({ reservation, endedAt }) => ({ bookingId: reservation.booking_id, endedAt }));
}

export async function lockHeldBy(tx: Tx, heldBy: HeldBy): Promise<void> {
  const keys = [heldBy.browser, heldBy.address, heldBy.email].filter((key) => key !== null).sort();
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`hold ${key}`}, 0)) ${sentWithNext}`.execute(tx);
}

const isHeldBy = (heldBy: HeldBy) => sql<boolean>`
  (held_by_browser = ${heldBy.browser}::text or held_by_address = ${heldBy.address}::text or held_by_email = ${heldBy.email}::text)`;

type CallerHold = {
  booking_id: string;
  artist_id: string;
  event_date: string;
  browser: boolean;
  address: boolean;
  email: boolean;
};

/** Returns the state of the limits for a user: live holds under any key, and when the last hold of this artist and date ended. */
export async function holdsOfCaller(
  reader: Reader,
  heldBy: HeldBy,
  date: { artistId: string; eventDate: string; except: string | undefined },
  now: Date,
): Promise<{ open: CallerHold[]; lastEnded: Date | null }> {
  const since = new Date(now.getTime() - holdLimits.renewalMinutes * minuteMs);
  const rows = await rowsOf<{ open: CallerHold[]; ended: string | null }>(reader)`
    with held as (
      select c.booking_id, c.artist_id, c.expires_at, b.event_date,
        coalesce(c.held_by_browser = ${heldBy.browser}::text, false) as browser,
        coalesce(c.held_by_address = ${heldBy.address}::text, false) as address,
        coalesce(c.held_by_email = ${heldBy.email}::text, false) as email
      from date_reservations c join bookings b on b.id = c.booking_id
      where c.kind = 'hold' and c.booking_id is distinct from ${date.except ?? null}::uuid and ${isHeldBy(heldBy)}
    )
    select
      coalesce((select jsonb_agg(to_jsonb(held) - 'expires_at') from held
                where expires_at > ${expiredHoldsBefore(now)}::timestamptz), '[]'::jsonb) as open,
      (select extract(epoch from max(ended_at)) * 1000 from (
        select ended_at from past_holds
        where artist_id = ${date.artistId} and event_date = ${date.eventDate}::date and ended_at > ${since}::timestamptz
          and ${isHeldBy(heldBy)}
        union all
        select expires_at from held
        where artist_id = ${date.artistId} and event_date = ${date.eventDate}::date
          and expires_at <= ${expiredHoldsBefore(now)}::timestamptz and expires_at > ${since}::timestamptz
      ) as ends) as ended`;
  const [row] = rows;
  return { open: row?.open ?? [], lastEnded: row?.ended ? new Date(Number(row.ended)) : null };
}

export type ReservedBooking = {
  booking: Selectable<DB["bookings"]>;
  kind: "hold" | "booked";
  from: Date;
  to: Date;
  expiresAt: Date | null;
  staysOnHold: boolean;
};

/** Returns the artist's live holds, and the bookings that overlap a range, the first to end first. */
export async function reservationsAround(
  reader: Reader,
  artistId: string,
  range: Range | null,
  now: Date,
): Promise<ReservedBooking[]> {
  const overlaps = range ? sql<boolean>`c.during && ${rangeOf(range)}` : sql<boolean>`false`;
  const rows = await reader
    .selectFrom("date_reservations as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .selectAll("b")
    .select([
      "c.kind",
      sql<Date>`lower(c.during)`.as("from"),
      sql<Date>`upper(c.during)`.as("to"),
      "c.expires_at as hold_expires_at",
      sql<boolean>`exists (select 1 from hold_nights n where n.booking_id = b.id and n.state = 'active'
        and coalesce(n.challenge_ends_at, n.expires_at) > c.expires_at)`.as("stays_on_hold"),
    ])
    .where("c.artist_id", "=", artistId)
    .where((eb) =>
      eb.or([
        eb.and([eb("c.kind", "=", "hold"), eb("c.expires_at", ">", expiredHoldsBefore(now))]),
        eb.and([eb("c.kind", "=", "booked"), overlaps]),
      ]),
    )
    .orderBy("c.expires_at")
    .execute();
  return rows.map(({ kind, from, to, hold_expires_at, stays_on_hold, ...booking }) => ({
    booking,
    kind: kind === "hold" ? "hold" : "booked",
    from,
    to,
    expiresAt: hold_expires_at,
    staysOnHold: stays_on_hold,
  }));
}
