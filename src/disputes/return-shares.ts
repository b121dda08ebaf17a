import { accounts, post, regainedOf } from "#ledger/index.ts";
import { lockChargesLeft, lockPaidPayments } from "#payments/provider-sync.ts";
import { returnArtistShare } from "#payouts/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { returnableShares, type ReturnedShares } from "./returnable.rules.ts";
import { changeDispute, lockDispute } from "./store.ts";
import { publishStep } from "./sync.ts";
import { divisionTermsOf } from "./views.ts";

/** Returns the shares of a loss after an appeal (decision 301). `expectedArtist`: cents. Throws while money is in transit. */
export async function returnShares(
  tx: Tx,
  given: { disputeId: string; bookingId: string; expectedArtist: number; now: Date },
): Promise<ReturnedShares & { currency: string }> {
  const { now, bookingId } = given;
  await lockPaidPayments(tx, bookingId);
  const dispute = await lockDispute(tx, given.disputeId);
  if (!dispute || dispute.booking_id !== bookingId) throw notFound("Dispute not found");
  const terms = await divisionTermsOf(tx, bookingId);
  const regained = await regainedOf(tx, dispute.payment_id, dispute.currency);
  const shares = returnableShares(dispute, { ...terms, regained });
  if (!shares) throw conflict("Nothing of this dispute can be returned.");
  if (shares.artist !== given.expectedArtist) throw conflict("The amounts have changed. Review them again.");
  await changeDispute(
    tx,
    dispute,
    { returned_at: now, returned_artist: shares.artist, returned_platform: shares.platform },
    now,
  );
  const charges = await lockChargesLeft(tx, bookingId);
  const { artistId, again, untaken } = await returnArtistShare(tx, {
    bookingId,
    artistId: terms.artistId,
    currency: dispute.currency,
    disputeId: dispute.id,
    amount: shares.artist,
    charges,
    now,
  });
  const { currency } = dispute;
  await post(tx, {
    cause: `dispute:${dispute.id}:returned`,
    kind: "dispute_share_returned",
    bookingId,
    paymentId: dispute.payment_id,
    at: now,
    entries: [
      { account: accounts.disputeLoss, amount: shares.artist + shares.platform, currency },
      { account: accounts.artistPayable(artistId), amount: -again, currency },
      { account: accounts.artistReceivable(artistId), amount: -untaken, currency },
      { account: accounts.platformRevenue, amount: -shares.platform, currency },
    ],
  });
  await publishStep(tx, dispute, { step: "share_returned", artist: shares.artist, untaken });
  return { ...shares, currency };
}
