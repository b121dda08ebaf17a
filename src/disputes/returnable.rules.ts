import { splitCommission } from "#payments/rules.ts";
import { splitByLargestRemainder } from "#platform/money.rules.ts";
import { disputeStateOf } from "./rules.ts";

export type ReturnedShares = Readonly<{ artist: number; platform: number }>;

type Loss = Readonly<{
  withdrawn: number;
  from_refunds: number;
  from_held: number;
  from_artist: number;
  from_platform: number;
  regained: number;
}>;

/** Divides what the bank returned after a loss as the loss was divided. The refunds that the loss completed come last: the payer has their money. */
export function regainedShares({ withdrawn, from_refunds, from_held, from_artist, from_platform, regained }: Loss) {
  const borne = withdrawn - from_refunds;
  const parts = [from_held, from_artist, from_platform] as const;
  const loss = borne - from_held - from_artist - from_platform;
  const [held = 0, artist = 0, platform = 0] = splitByLargestRemainder(Math.max(0, Math.min(regained, borne)), [
    ...parts,
    loss,
  ]);
  return { held, artist, platform };
}

/** Returns what is held again after the bank moved money: below 0 if it took some again, then at most what is still `held`. */
export const heldChange = (dispute: Loss & Readonly<{ returned_held: number }>, held: number): number =>
  Math.max(regainedShares(dispute).held - dispute.returned_held, Math.min(0, -held));

const lateHeld = (dispute: LostDispute): number => Math.max(0, regainedShares(dispute).held - dispute.returned_held);

type LostDispute = Loss &
  Readonly<{ status: string; settled_at: Date | null; returned_at: Date | null; returned_held: number }>;

/** `isDivided`: the booking's held money was divided. `regained`: what of the payment came back and nobody has (`regainedOf`). `retainable`: what the terms of a cancellation still let artist and platform have, null without one. */
type Around = Readonly<{ isDivided: boolean; commissionBps: number; retainable: number | null; regained: number }>;

/** Returns the shares that an admin can return. Held money that came back too late is divided by the booking's commission, at most what a cancellation's terms retain. Null if the dispute is not won, or nothing is left to return. */
export function returnableShares(
  dispute: LostDispute,
  { isDivided, commissionBps, retainable, regained }: Around,
): ReturnedShares | null {
  if (disputeStateOf(dispute.status) !== "won" || dispute.settled_at === null || dispute.returned_at !== null)
    return null;
  const shares = regainedShares(dispute);
  const late = splitCommission(isDivided ? Math.min(lateHeld(dispute), retainable ?? Infinity) : 0, commissionBps);
  const parts = [shares.artist + late.artist, shares.platform + late.commission] as const;
  const [artist = 0, platform = 0] = splitByLargestRemainder(Math.min(regained, parts[0] + parts[1]), parts);
  return artist > 0 ? { artist, platform } : null;
}

/** Returns what came back too late for a canceled booking and its terms do not retain. An admin refunds it to the payer. */
export function dueToPayer(dispute: LostDispute, around: Around): number {
  if (around.retainable === null || disputeStateOf(dispute.status) !== "won" || dispute.settled_at === null) return 0;
  const { artist, platform } = returnableShares(dispute, around) ?? { artist: 0, platform: 0 };
  return Math.max(0, Math.min(around.regained, lateHeld(dispute)) - artist - platform);
}
