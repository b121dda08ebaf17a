/** The hold of whoever asks: it is theirs to pay or to let go, and never "another promoter" (decision 0030). */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import type { OwnHold } from "../api.ts";
import type { BookingRequest } from "../request/form.api.ts";
import { type Booking, deadHoldsBefore, heldUntil } from "../store.ts";
import { describeDay, timeIn } from "#platform/calendar.rules.ts";
import { type EventSpan } from "./time.ts";

/** Says whether a booking was asked for by the one who asks now: by its cookie or its owner's session, never by an address alone. */
export type IsOwn = (booking: Pick<Booking, "promoter_user_id" | "access_key_hash">) => boolean;
export type Held = { booking: Booking; from: Date; to: Date; expiresAt: Date };

/** The caller's live holds of one artist, the first to end first. */
export async function ownHolds(reader: Reader, artistId: string, isOwn: IsOwn, now: Date): Promise<Held[]> {
  const rows = await reader
    .selectFrom("date_reservations as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .selectAll("b")
    .select([sql<Date>`lower(c.during)`.as("from"), sql<Date>`upper(c.during)`.as("to"), "c.expires_at"])
    .where("c.artist_id", "=", artistId)
    .where("c.kind", "=", "hold")
    .where("c.expires_at", ">", deadHoldsBefore(now))
    .where("b.status", "=", "initiated")
    .orderBy("c.expires_at")
    .execute();
  return rows
    .map(({ from, to, expires_at, ...booking }) => ({
      booking: booking as Booking,
      from,
      to,
      expiresAt: expires_at ?? now,
    }))
    .filter(({ booking }) => isOwn(booking));
}

/** The caller's hold that stands where a span would. */
export const ownIn = (holds: readonly Held[], span: EventSpan, but?: string): Held | undefined =>
  holds.find((hold) => hold.booking.id !== but && hold.from < span.reservedTo && span.reservedFrom < hold.to);

/** A hold in words for its holder. Once its time is over it cannot be paid any more, only end. */
export function describeOwnHold({ booking, expiresAt }: Held, now: Date): { message: string; open: boolean } {
  const { event_date: date, event_time: time, time_zone: zone } = booking;
  const open = expiresAt > now;
  const message = open
    ? `You hold ${describeDay(date)}, ${time}, yourself. Your checkout is open until ${timeIn(zone, expiresAt)} (${zone}): continue to the payment, or let the date go.`
    : `Your checkout for ${describeDay(date)}, ${time}, has ended. The date is free again by ${timeIn(zone, heldUntil(expiresAt))} (${zone}).`;
  return { message, open };
}

/** A hold as its holder's screen shows it. */
export function presentOwnHold(hold: Held, now: Date): OwnHold {
  const { id: booking_id, event_date, event_time, venue_name } = hold.booking;
  return { booking_id, event_date, event_time, venue_name, open_until: hold.expiresAt, ...describeOwnHold(hold, now) };
}

/** The refusal of a second request or checkout where the caller holds already. */
export const ownHoldRefusal = (hold: Held, now: Date): Problem =>
  new Problem("conflict", describeOwnHold(hold, now).message, {
    data: { state: "own_hold", booking_id: hold.booking.id, held_until: hold.expiresAt.toISOString() },
  });

/** The form says what the stored request says, answer by answer. */
export const isSameRequest = (booking: Booking, request: BookingRequest): boolean =>
  booking.promoter_name === request.clientName &&
  booking.promoter_email.toLowerCase() === request.clientEmail.toLowerCase() &&
  booking.promoter_phone === request.clientPhone &&
  booking.event_date === request.eventDate &&
  booking.event_time === request.eventTime &&
  booking.venue_name === request.eventLocation &&
  booking.event_type === request.eventType &&
  booking.guest_count === (request.guestCount ?? null) &&
  booking.duration === (request.duration ?? null) &&
  booking.special_requests === (request.specialRequests ?? null);
