import { type RawBuilder, sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { hasDispute, hasOpenObjection, hasOpenRefund, isFormerOwners } from "./payouts.store.ts";

/** SQL condition: the payout `p` of an artist with the account `c` is due, but it could not be planned, or the owner's account is not complete. */
export const isUnsendable = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  p.due_at <= ${now} and (p.stuck_at is not null or coalesce(c.onboarding_status, '') <> 'completed')
  and not (${isFormerOwners} or ${hasOpenRefund} or ${hasDispute} or ${hasOpenObjection}))`;

/** Returns whether the payer disputes a payment of the payout's booking, whether the payout cannot be sent (`isUnsendable`), and the artist's account. */
export async function outsideStateOf(reader: Reader, payoutId: string, now: Date) {
  const { rows } = await sql<{ disputed: boolean; unsendable: boolean; account: string | null }>`
    select ${hasDispute} as disputed, ${isUnsendable(now)} as unsendable, c.provider_account as account
    from payouts p left join artist_connect c on c.artist_id = p.artist_id where p.id = ${payoutId}`.execute(reader);
  return rows[0] ?? { disputed: false, unsendable: false, account: null };
}
