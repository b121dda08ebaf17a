import { returnedOf } from "#ledger/rules.ts";
import { type LedgerPosition, splitCommission } from "#payments/rules.ts";

/** Returns what artist and platform get of a booking, in minor units: of the release, or before it of the price less refunds, also planned ones, and lost disputes. */
export function sharesOf(
  { fee_cents: fee, commission_bps: bps }: Readonly<{ fee_cents: number; commission_bps: number }>,
  position: LedgerPosition,
): { artist: number; commission: number } {
  return position.releasedAt
    ? { artist: position.artist, commission: position.platform }
    : splitCommission(fee - returnedOf(position), bps);
}
