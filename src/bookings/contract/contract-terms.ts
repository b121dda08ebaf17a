import type { ContractTerms } from "#contracts/index.ts";
import type { Booking } from "../store.ts";

/** The snapshot of a booking as its contract says it. */
export const contractTerms = (booking: Booking, artist: { id: string; name: string }): ContractTerms => ({
  artist: { id: artist.id, name: artist.name },
  promoter: { name: booking.promoter_name, email: booking.promoter_email, phone: booking.promoter_phone },
  event: {
    date: booking.event_date,
    time: booking.event_time,
    timeZone: booking.time_zone,
    durationMinutes: booking.duration_minutes,
    type: booking.event_type,
    guestCount: booking.guest_count,
    venueName: booking.venue_name,
    venueAddress: booking.venue_address,
    specialRequests: booking.special_requests,
  },
  money: {
    feeCents: booking.fee_cents,
    depositCents: booking.deposit_cents,
    balanceCents: booking.balance_cents,
    depositPercent: booking.deposit_percent,
    commissionBps: booking.commission_bps,
    currency: booking.currency,
  },
  policy: booking.policy,
});
