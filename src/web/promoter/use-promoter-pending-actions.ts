import type { PosterSubject } from "#artists/rules.ts";
import type { BookingToActOn } from "../booking/list/pending-actions.tsx";
import { type OwnBookingsInput, type PromoterBooking, usePromoterBookings } from "../lib/api/booking-lists.ts";
import { type Hold, useOwnHolds } from "../lib/api/promoter/holds.ts";
import { deadlineOf, mustPayNow } from "./holds/hold-text.ts";

type PendingRow = BookingToActOn &
  Readonly<{ artist: PosterSubject & { name: string }; booking: PromoterBooking | undefined }>;

const holdRow = "hold ";
export const isHoldRow = (id: string): boolean => id.startsWith(holdRow);

const holdsToPay = (hold: Hold): PendingRow[] =>
  hold.nights
    .filter((night) => mustPayNow(night) && !night.being_booked)
    .map((night) => ({
      id: `${holdRow}${hold.id} ${night.night}`,
      number: night.must_pay ? "First hold" : "Challenged hold",
      event_date: night.night,
      venue_name: hold.event_location,
      act_due: { kind: "hold_ends", at: deadlineOf(night).toISOString() },
      artist: hold.artist,
      booking: undefined,
    }));

/** Omits the holds if they fail to load, because their own page reports that. */
export function usePromoterPendingActions(options: OwnBookingsInput) {
  const { query, bookings, summary } = usePromoterBookings(options);
  const held = useOwnHolds().data?.items.flatMap(holdsToPay) ?? [];
  return {
    query,
    summary,
    bookings: bookings && [...held, ...bookings.map((booking): PendingRow => ({ ...booking, booking }))],
  };
}
