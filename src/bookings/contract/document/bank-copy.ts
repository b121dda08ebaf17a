import { documentKindsOf, drawCopyForBank } from "#contracts/copies-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Booking } from "../../store.ts";
import { ensureDocument } from "../sending.ts";

export const hasBankCopy = async (reader: Reader, contractId: string): Promise<boolean> =>
  (await documentKindsOf(reader, contractId)).includes("agreement");

/** Returns the contract of a booking for the bank of its payer, as PDF. Undefined without one. Never call it in a transaction, because it draws pages. */
export async function drawBankCopy(
  services: Payments,
  { id, number }: Pick<Booking, "id" | "number">,
): Promise<Buffer | undefined> {
  await ensureDocument(services, id);
  return drawCopyForBank(services, { bookingId: id, number });
}
