/** Sums are in minor units. */

import { type RawBuilder, sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { postedEntries } from "./daily-sums.store.ts";
import type { PaymentKind } from "./rules.ts";
import { accounts, type PostingKind } from "./store.ts";

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
type Instant = Date | RawBuilder<Date>;
type Period = Readonly<{ from?: Instant | undefined; to?: Instant | undefined }>;

const isWithin = ({ from, to }: Period) =>
  sql`${from ? sql`g.posted_at >= ${from}` : sql`true`} and ${to ? sql`g.posted_at < ${to}` : sql`true`}`;

/** SQL of `kind`, `account`, `payment_kind`, `currency` and `amount` of a period. Whole days (UTC) are read from their sums. The parts of days at both ends, and what is not yet added to a day, are read from the entries. */
function sumsWithin({ from, to }: Period): RawBuilder<unknown> {
  const first = from
    ? sql`(((${from})::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date`
    : sql`'-infinity'::date`;
  const end = to ? sql`((${to})::timestamptz at time zone 'UTC')::date` : sql`'infinity'::date`;
  const [begins, ends] = [first, end].map((day) => sql`(${day}::timestamp at time zone 'UTC')`);
  const columns = sql`kind, account, payment_kind, currency, amount`;
  const parts = [
    sql`select ${columns} from ledger_daily_sums where day >= ${first} and day < ${end}`,
    sql`select ${columns} from (${postedEntries}
      where g.id in (select group_id from ledger_unsummed) and g.posted_at >= ${begins} and g.posted_at < ${ends}) queued`,
    from &&
      sql`select ${columns} from (${postedEntries}
        where g.posted_at >= ${from} and g.posted_at < least(${begins}, (${to ?? sql`null`})::timestamptz)) before`,
    to &&
      sql`select ${columns} from (${postedEntries}
        where g.posted_at >= greatest(${begins}, ${ends}) and g.posted_at < ${to}) after`,
  ].filter((part) => part !== undefined);
  return sql`(${sql.join(parts, sql` union all `)})`;
}

type Revenue = Sum & { captured: number; refunded: number; lost: number; withheld: number };

/** Returns the revenue of a period: captured less refunded, lost and withheld. A refund that a lost dispute fulfilled counts as lost, as in the provider's records. Disputed money is withheld. Unapplied payments do not count. */
export async function revenue(reader: Reader, period: Period = {}): Promise<Revenue[]> {
  const { pspClearing, disputeInFlight } = accounts;
  const rows = await rowsOf<Omit<Revenue, "amount">>(reader)`
    select currency,
      coalesce(sum(amount) filter (where kind = 'charge' and account = ${pspClearing}), 0)::bigint as captured,
      coalesce(-sum(amount) filter (
        where kind in ('refund_settled', 'refund_undone', 'suspense_refund_settled') and account = ${pspClearing}), 0)::bigint as refunded,
      coalesce(-sum(amount) filter (where kind in ('dispute_lost', 'dispute_regained', 'refund_settled') and account = ${disputeInFlight}), 0)::bigint as lost,
      coalesce(sum(amount) filter (where account = ${disputeInFlight}), 0)::bigint as withheld
    from ${sumsWithin(period)} s
    where account = ${disputeInFlight} or (account = ${pspClearing} and kind in (${sql.join(revenueKinds)}))
    group by currency order by currency`;
  return rows.map((sum) => ({ ...sum, amount: sum.captured - sum.refunded - sum.lost - sum.withheld }));
}

type PaidIn = { period: number; payment_kind: PaymentKind | "none"; currency: string; amount: number };

/** Returns what promoters paid in each period. `period` is its index. */
export const paidIn = (reader: Reader, periods: readonly Readonly<{ from: Date; to: Date }>[]): Promise<PaidIn[]> =>
  rowsOf<PaidIn>(reader)`
    select (span.number - 1)::int as period, s.payment_kind, s.currency, sum(s.amount)::bigint as amount
    from unnest(${periods.map(({ from }) => from)}::timestamptz[], ${periods.map(({ to }) => to)}::timestamptz[])
      with ordinality span(begins, ends, number)
      cross join lateral ${sumsWithin({ from: sql`span.begins`, to: sql`span.ends` })} s
    where s.account = ${accounts.pspClearing} and s.kind = 'charge'
    group by 1, 2, 3`;

type PlatformSums = { currency: string; commission: number; fees: number; losses: number; held: number; owed: number };

/** Returns what the platform has earned in a period, what that cost, and what it held for bookings and owed to artists at its end. Money that an appeal won back is held until an admin has decided about it (`regainedOf`). */
export async function platformSums(reader: Reader, { from, to }: Period): Promise<PlatformSums[]> {
  const { platformRevenue, pspFees, disputeLoss } = accounts;
  const inPeriod = (account: string) => sql`sum(s.amount) filter (where s.account = ${account} and s.in_period)`;
  const rows = await rowsOf<PlatformSums>(reader)`
    with regained as (
      select currency, sum(greatest(0, at_end)) as at_end, sum(greatest(0, at_end) - greatest(0, at_start)) as change from (
        select e.currency, -sum(e.amount) as at_end, coalesce(-sum(e.amount) filter (where not (${isWithin({ from })})), 0) as at_start
        from ledger_entries e join ledger_groups g on g.id = e.group_id
        where e.account = ${disputeLoss} and ${isWithin({ to })}
        group by e.currency, g.payment_id) of_payments group by currency)
    select s.currency,
      coalesce(-${inPeriod(platformRevenue)}, 0)::bigint as commission,
      coalesce(${inPeriod(pspFees)}, 0)::bigint as fees,
      (coalesce(${inPeriod(disputeLoss)}, 0) + coalesce(max(r.change), 0))::bigint as losses,
      (coalesce(-sum(s.amount) filter (where s.account = 'held' and not s.in_period), 0) + coalesce(max(r.at_end), 0))::bigint as held,
      coalesce(-sum(s.amount) filter (where s.account = 'artist_payable' and not s.in_period), 0)::bigint as owed
    from (
      select true as in_period, account, currency, amount from ${sumsWithin({ from, to })} within
      union all select false, account, currency, amount from ${sumsWithin({ to })} until_end) s
      left join regained r on r.currency = s.currency
    where s.account in (${platformRevenue}, ${pspFees}, ${disputeLoss}, 'held', 'artist_payable')
    group by s.currency order by s.currency`;
  return rows;
}
