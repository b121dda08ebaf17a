import { contractOf, type ContractSummary } from "#contracts/index.ts";
import { type ContractSide, sideAtFault, sidesInTurn } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { CancelFault } from "../rules/cancellation.rules.ts";

export const sidesToSign = ({ firstSigner, signers }: ContractSummary): ContractSide[] =>
  sidesInTurn(
    firstSigner,
    signers.filter((signer) => signer.signedAt === null).map(({ side }) => side),
  );

/** The only side whose turn it was is at fault. When both could have signed, nobody pays for it. */
export async function contractFault(reader: Reader, bookingId: string): Promise<CancelFault> {
  const contract = await contractOf(reader, bookingId);
  return contract ? sideAtFault(contract) : "nobody";
}

/** A promoter who declines is treated like one who lets the time for signing pass; an artist who declines is at fault. */
export const declineFault = async (reader: Reader, bookingId: string, side: ContractSide): Promise<CancelFault> =>
  side === "artist" ? "artist" : contractFault(reader, bookingId);
