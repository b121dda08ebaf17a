import { contractOf } from "#contracts/index.ts";
import { type ContractSide, sideAtFault } from "#contracts/rules.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { endBooking } from "../cancellation/cancellation.ts";
import type { CancelFault, Division } from "../rules/cancellation/cancellation.rules.ts";
import type { Booking } from "../store.ts";

/** Returns the only side whose turn it was, or `nobody` if both could have signed. A promoter who declines is treated as one who misses the deadline. */
export async function contractFault(
  reader: Reader,
  bookingId: string,
  declinedBy?: ContractSide,
): Promise<CancelFault> {
  if (declinedBy === "artist") return "artist";
  const contract = await contractOf(reader, bookingId);
  return contract ? sideAtFault(contract) : "nobody";
}

export const endUnsigned = async (tx: Tx, booking: Booking, now: Date): Promise<Division> =>
  endBooking(tx, booking, { by: "system", code: "contract_expired", fault: await contractFault(tx, booking.id), now });

export async function endDeclined(
  tx: Tx,
  booking: Booking,
  { side, reason: note, now }: { side: ContractSide; reason: string; now: Date },
): Promise<Division> {
  const fault = await contractFault(tx, booking.id, side);
  return endBooking(tx, booking, { by: side, code: "contract_declined", fault, note, now });
}
