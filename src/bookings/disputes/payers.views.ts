import type { Reader } from "#platform/db/index.ts";
import type { Booking } from "../store.ts";

/** Returns the addresses of the promoter, and of payers who paid for the promoter. */
export async function payerAddresses(reader: Reader, booking: Booking): Promise<string[]> {
  const payers = await reader
    .selectFrom("payment_payers as payer")
    .innerJoin("payments as p", "p.id", "payer.payment_id")
    .select("payer.email")
    .where("p.booking_id", "=", booking.id)
    .execute();
  return [booking.promoter_email, booking.promoter_phone, ...payers.map(({ email }) => email)];
}
