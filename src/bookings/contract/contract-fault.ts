import { contractOf } from "#contracts/index.ts";
import { type ContractSide, sideAtFault } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { CancelFault } from "../rules/cancellation.rules.ts";

/** Returns the side at fault for an unsigned contract: the only side whose turn it was, or `nobody` if both could have signed. A promoter who declines is treated as one who misses the deadline. */
export async function contractFault(
  reader: Reader,
  bookingId: string,
  declinedBy?: ContractSide,
): Promise<CancelFault> {
  if (declinedBy === "artist") return "artist";
  const contract = await contractOf(reader, bookingId);
  return contract ? sideAtFault(contract) : "nobody";
}
