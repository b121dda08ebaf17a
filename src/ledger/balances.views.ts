/** Sums are in minor units. */

import { type RawBuilder, sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { accounts, type PostingKind } from "./store.ts";
import { isOfRelease } from "./views.ts";

type Sum = { currency: string; amount: number };

/** Returns the balance of an account: debits minus credits. */
export const ledgerBalance = (reader: Reader, account: string): Promise<Sum[]> =>
  rowsOf<Sum>(reader)`
    select currency, sum(amount)::bigint as amount from ledger_entries
    where account = ${account} group by currency order by currency`;

export const payableOf = (reader: Reader, artistId: string): Promise<Sum[]> =>
  rowsOf<Sum>(reader)`
    select currency, -sum(amount)::bigint as amount from ledger_entries
    where account = ${accounts.artistPayable(artistId)} group by currency order by currency`;

const revenueKinds: readonly PostingKind[] = [
  "charge",
  "refund_settled",
  "refund_undone",
  "dispute_withdrawn",
  "dispute_reinstated",
];

/** From an instant until before another one; all time without them. */
type Period = Readonly<{ from?: Date | RawBuilder<Date> | undefined; to?: Date | RawBuilder<Date> | undefined }>;

const isWithin = ({ from, to }: Period) =>
  sql`${from ? sql`g.posted_at >= ${from}` : sql`true`} and ${to ? sql`g.posted_at < ${to}` : sql`true`}`;

/** Returns captured minus refunded. Disputed money counts as refunded. Unapplied payments do not count. */
export const revenue = (reader: Reader, period: Period = {}): Promise<Sum[]> =>
  rowsOf<Sum>(reader)`
    select e.currency, sum(e.amount)::bigint as amount from ledger_entries e join ledger_groups g on g.id = e.group_id
    where e.account = ${accounts.pspClearing} and g.kind in (${sql.join(revenueKinds)}) and ${isWithin(period)}
    group by e.currency order by e.currency`;

type RevenueParts = { currency: string; captured: number; refunded: number; lost: number; withheld: number };

/** Returns the totals of a period. A refund that a lost dispute fulfilled counts as lost, as in the provider's records. What is captured less the others is the total revenue. */
export async function revenueParts(reader: Reader, period: Period): Promise<RevenueParts[]> {
  const { pspClearing, disputeInFlight } = accounts;
  const rows = await rowsOf<RevenueParts>(reader)`
    select e.currency,
      coalesce(sum(e.amount) filter (where g.kind = 'charge' and e.account = ${pspClearing}), 0)::bigint as captured,
      coalesce(-sum(e.amount) filter (
        where g.kind in ('refund_settled', 'refund_undone', 'suspense_refund_settled') and e.account = ${pspClearing}), 0)::bigint as refunded,
      coalesce(-sum(e.amount) filter (where g.kind in ('dispute_lost', 'dispute_regained', 'refund_settled') and e.account = ${disputeInFlight}), 0)::bigint as lost,
      coalesce(sum(e.amount) filter (where e.account = ${disputeInFlight}), 0)::bigint as withheld
    from ledger_entries e join ledger_groups g on g.id = e.group_id
    where (e.account = ${disputeInFlight} or (e.account = ${pspClearing} and g.kind in (${sql.join(revenueKinds)}))) and ${isWithin(period)}
    group by e.currency order by e.currency`;
  return rows;
}

type PlatformSums = { currency: string; commission: number; fees: number; losses: number; held: number; owed: number };

/** Returns what the platform has earned in a period, what that cost, and what it held for bookings and owed to artists at its end. Money that an appeal won back is held until an admin has decided about it (`regainedOf`). */
export async function platformSums(reader: Reader, { from, to }: Period): Promise<PlatformSums[]> {
  const { platformRevenue, pspFees, disputeLoss } = accounts;
  const rows = await rowsOf<PlatformSums>(reader)`
    with regained as (
      select currency, sum(greatest(0, at_end)) as at_end, sum(greatest(0, at_end) - greatest(0, at_start)) as change from (
        select e.currency, -sum(e.amount) as at_end, coalesce(-sum(e.amount) filter (where not (${isWithin({ from })})), 0) as at_start
        from ledger_entries e join ledger_groups g on g.id = e.group_id
        where e.account = ${disputeLoss} and ${isWithin({ to })}
        group by e.currency, g.payment_id) of_payments group by currency)
    select e.currency,
      coalesce(-sum(e.amount) filter (where e.account = ${platformRevenue} and ${isWithin({ from })}), 0)::bigint as commission,
      coalesce(sum(e.amount) filter (where e.account = ${pspFees} and ${isWithin({ from })}), 0)::bigint as fees,
      (coalesce(sum(e.amount) filter (where e.account = ${disputeLoss} and ${isWithin({ from })}), 0) + coalesce(max(r.change), 0))::bigint as losses,
      (coalesce(-sum(e.amount) filter (where e.account like 'held:%'), 0) + coalesce(max(r.at_end), 0))::bigint as held,
      coalesce(-sum(e.amount) filter (where e.account like 'artist_payable:%'), 0)::bigint as owed
    from ledger_entries e join ledger_groups g on g.id = e.group_id left join regained r on r.currency = e.currency
    where (e.account in (${platformRevenue}, ${pspFees}, ${disputeLoss}) or e.account like 'held:%' or e.account like 'artist_payable:%')
      and ${isWithin({ to })}
    group by e.currency order by e.currency`;
  return rows;
}

/** Returns an artist's earnings from released bookings, less refunds and lost disputes, whether paid out or not. */
export const earningsOf = (reader: Reader, artistId: string): Promise<Sum[]> =>
  rowsOf<Sum>(reader)`
    select e.currency, -sum(e.amount)::bigint as amount from ledger_entries e join ledger_groups g on g.id = e.group_id
    where e.account in (${accounts.artistPayable(artistId)}, ${accounts.artistReceivable(artistId)}) and ${isOfRelease}
    group by e.currency order by e.currency`;
