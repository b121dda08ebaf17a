import { accounts, type Entry, heldFor, post } from "#ledger/index.ts";
import { insertPayout } from "#payouts/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { splitCommission } from "../rules/prices.rules.ts";
import { lockPaidPayments } from "../store.ts";

/** Releases held money once, at most `keep`: the commission (basis points) to the platform, the rest to the artist, whose payout is due at `dueAt` (absent: immediately). Returns the shares. Amounts are minor units. */
export async function releaseHeld(
  tx: Tx,
  release: {
    bookingId: string;
    artistId: string;
    currency: string;
    commissionBps: number;
    at: Date;
    keep?: number;
    dueAt?: Date;
  },
): Promise<Shares> {
  const { bookingId, artistId, currency, at } = release;
  // A dashboard refund is written under these locks, so it is counted either before or after the release.
  await lockPaidPayments(tx, bookingId);
  const released = Math.min(await heldFor(tx, bookingId, currency), release.keep ?? Infinity);
  const shares = splitCommission(released, release.commissionBps);
  const posted = await post(tx, {
    cause: `release:${bookingId}`,
    kind: "release",
    bookingId,
    at,
    entries: releaseEntries(release, shares),
  });
  const { artist: amount } = shares;
  if (posted && amount > 0)
    await insertPayout(tx, { bookingId, artistId, currency, amount, dueAt: release.dueAt ?? at, now: at });
  return shares;
}

type Shares = { commission: number; artist: number };

export const releaseEntries = (
  { bookingId, artistId, currency }: { bookingId: string; artistId: string; currency: string },
  { commission, artist }: Shares,
): Entry[] => [
  { account: accounts.held(bookingId), amount: commission + artist, currency },
  { account: accounts.artistPayable(artistId), amount: -artist, currency },
  { account: accounts.platformRevenue, amount: -commission, currency },
];
