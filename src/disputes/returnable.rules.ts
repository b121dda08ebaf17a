import { splitByLargestRemainder } from "#platform/money.rules.ts";
import { disputeStateOf } from "./disputes.rules.ts";

export type ReturnedShares = Readonly<{ artist: number; platform: number }>;

type LostDispute = Readonly<{
  status: string;
  settled_at: Date | null;
  returned_at: Date | null;
  withdrawn: number;
  from_artist: number;
  from_platform: number;
  regained: number;
}>;

/** Returns the returnable shares. Null if the dispute is not won, nothing came back or was taken, or the shares were returned. */
export function returnableShares(dispute: LostDispute): ReturnedShares | null {
  if (disputeStateOf(dispute.status) !== "won" || dispute.settled_at === null || dispute.returned_at !== null)
    return null;
  if (dispute.from_artist === 0 || dispute.regained <= 0) return null;
  const { from_artist: artist, from_platform: platform, withdrawn, regained } = dispute;
  const [toArtist = 0, toPlatform = 0] = splitByLargestRemainder(Math.min(regained, withdrawn), [
    artist,
    platform,
    withdrawn - artist - platform,
  ]);
  return toArtist > 0 ? { artist: toArtist, platform: toPlatform } : null;
}
