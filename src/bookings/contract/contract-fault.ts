import { contractOf, type ContractSummary } from "#contracts/index.ts";
import { type ContractSide, sideAtFault, sidesInTurn } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { CancelFault } from "../rules/cancellation.rules.ts";

export const sidesToSign = ({ first_signer: firstSigner, signers }: ContractSummary): ContractSide[] =>
  sidesInTurn(
    firstSigner,
    signers.filter((signer) => signer.signed_at === null).map(({ side }) => side),
  );

/** Returns the side at fault for an unsigned contract: the only side whose turn it was, or `nobody` if both could have signed. */
export async function contractFault(reader: Reader, bookingId: string): Promise<CancelFault> {
  const contract = await contractOf(reader, bookingId);
  return contract ? sideAtFault(contract) : "nobody";
}

/** Returns the side at fault for a declined contract. A promoter who declines is treated as one who misses the signing deadline. */
export const declineFault = async (reader: Reader, bookingId: string, side: ContractSide): Promise<CancelFault> =>
  side === "artist" ? "artist" : contractFault(reader, bookingId);
