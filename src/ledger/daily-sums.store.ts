import { sql } from "kysely";
import { type Database, firstRowOf } from "#platform/db/index.ts";

const batch = 1_000;

/** SQL of all entries of postings `g`: the day (UTC), what the sums per day are divided by, and the amount. */
export const postedEntries = sql`
  select (g.posted_at at time zone 'UTC')::date as day, g.kind, split_part(e.account, ':', 1) as account,
    coalesce(p.kind, 'none') as payment_kind, e.currency, e.amount
  from ledger_groups g join ledger_entries e on e.group_id = g.id left join payments p on p.id = g.payment_id`;

/** Adds the queued postings to the sums of their days, in any number of processes. Days are locked in one order. */
export async function addToDailySums(database: Database): Promise<void> {
  for (let added = batch; added === batch;) {
    const row = await database.transaction(
      (tx) =>
        firstRowOf<{ added: number }>(tx)`
        with taken as (
          delete from ledger_unsummed where group_id in (
            select group_id from ledger_unsummed limit ${batch}::int for update skip locked) returning group_id),
        added as (
          insert into ledger_daily_sums (day, kind, account, payment_kind, currency, amount)
            select day, kind, account, payment_kind, currency, sum(amount)
            from (${postedEntries} where g.id in (select group_id from taken)) entries
            group by day, kind, account, payment_kind, currency order by day, kind, account, payment_kind, currency
          on conflict (day, kind, account, payment_kind, currency)
            do update set amount = ledger_daily_sums.amount + excluded.amount)
        select count(*)::int as added from taken`,
    );
    added = row?.added ?? 0;
  }
}
