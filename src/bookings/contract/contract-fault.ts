/** Who has let the time for signing pass. */
import { contractOf, type ContractSummary } from "#contracts/index.ts";
import type { ContractSide } from "#contracts/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { CancelFault } from "../rules.ts";

/** The parties who have not signed. */
export const unsignedSides = ({ signers }: ContractSummary): ContractSide[] =>
  signers.filter((signer) => signer.signedAt === null).map(({ side }) => side);

/** The only side that has not signed is at fault. When neither has, nobody pays for it. */
export async function contractFault(reader: Reader, bookingId: string): Promise<CancelFault> {
  const contract = await contractOf(reader, bookingId);
  const open = contract ? unsignedSides(contract) : [];
  return open.length === 1 && open[0] ? open[0] : "nobody";
}
