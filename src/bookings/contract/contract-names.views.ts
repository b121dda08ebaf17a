import { findContract } from "#contracts/signing-for-bookings.ts";
import type { Reader } from "#platform/db/index.ts";
import { isErasedEmail } from "#platform/email-address.rules.ts";
import type { Booking } from "../store.ts";

/** Returns the booking with the names of its contract if its promoter has deleted the account: the bank knows the payer by them. */
export async function withNamesOfContract(reader: Reader, booking: Booking): Promise<Booking> {
  const contract = isErasedEmail(booking.promoter_email) ? await findContract(reader, booking.id) : undefined;
  if (!contract) return booking;
  const { promoter, event } = contract.terms;
  return { ...booking, promoter_name: promoter.name, promoter_email: promoter.email, venue_name: event.venueName };
}
