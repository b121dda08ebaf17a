import type { ContractTerms } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import { verifiedMailbox } from "#users/index.ts";
import type { Quote } from "../rules/cancellation/cancellation.rules.ts";
import type { Booking } from "../store.ts";

const known = <T extends Record<string, string>>(details: T): Partial<T> =>
  Object.fromEntries(Object.entries(details).filter(([, text]) => text.trim() !== "")) as Partial<T>;

/** Returns the terms of the booking that its contract contains, with the promoter's special requests and without a rider. */
export async function contractTerms(
  reader: Reader,
  booking: Booking,
  artist: { id: string; name: string; user_id: string | null },
): Promise<ContractTerms> {
  const seller = await artistSettings(reader, artist.id);
  const { promoter_user_id: account, needs_confirmation: isUnconfirmed } = booking;
  const buyer = account === null || isUnconfirmed ? null : await promoterSettings(reader, account);
  const email = artist.user_id === null ? null : await verifiedMailbox(reader, artist.user_id);
  return {
    artist: {
      id: artist.id,
      name: artist.name,
      ...known({ legalName: seller.legalName, address: seller.legalAddress, email: email ?? "" }),
    },
    promoter: {
      name: booking.promoter_name,
      email: booking.promoter_email,
      phone: booking.promoter_phone,
      ...known({ organization: buyer?.organizationName ?? "" }),
    },
    ...termsOfShow(booking),
  };
}

export const termsOfShow = (booking: ShownTerms): Omit<ContractTerms, "artist" | "promoter"> => ({
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

type ShownTerms = Pick<
  Booking,
  | keyof Quote
  | "event_date"
  | "event_time"
  | "time_zone"
  | "duration_minutes"
  | "event_type"
  | "guest_count"
  | "venue_name"
  | "venue_address"
  | "special_requests"
  | "policy"
>;
