import { contractTerms } from "#bookings/contract/contract-terms.ts";
import { bookingStatuses } from "#bookings/rules.ts";
import type { Booking } from "#bookings/store.ts";
import { canonicalHash } from "#contracts/agreements-for-bookings.ts";
import { insertSeedContracts } from "#contracts/index.ts";
import { json, type Tx } from "#platform/db/index.ts";

/** Stores the contract of a made booking by its status. A request without a price has none. */
export async function makeContract(
  tx: Tx,
  booking: Booking,
  artist: { id: string; name: string; user_id: string | null },
): Promise<void> {
  if (booking.fee_cents === 0) return;
  const terms = await contractTerms(tx, booking, artist);
  const order = booking.status === "canceled" ? 0 : bookingStatuses[booking.status].order;
  await insertSeedContracts(tx, [
    {
      booking_id: booking.id,
      signed_status: order >= 3 ? "signed" : order === 2 ? "sent" : "draft",
      provider: "embedded",
      terms: json(terms),
      terms_hash: canonicalHash(terms),
      sent_at: order >= 2 ? booking.deposit_paid_at : null,
      signed_at: order >= 3 ? booking.deposit_paid_at : null,
      created_at: booking.created_at,
    },
  ]);
}
