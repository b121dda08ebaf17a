-- The totals of a period read sums per day (UTC) instead of every entry. The trigger queues each posting for the job that adds it to its day,
-- so no two payments wait for the same row. Queued postings are read by their entries. The function has the owner's rights: the server's
-- role has none on the new table before they are granted again.
create table ledger_unsummed (group_id uuid primary key);
create table ledger_daily_sums (
  day          date not null,
  kind         text not null,
  account      text not null,   -- the part before the colon
  payment_kind text not null check (payment_kind in ('deposit','balance','none')),
  currency     text not null,
  amount       bigint not null,
  primary key (day, kind, account, payment_kind, currency)
);
create function queue_daily_sums() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_unsummed (group_id) select id from posted;
  return null;
end $$;
create trigger ledger_groups_summed after insert on ledger_groups
  referencing new table as posted for each statement execute function queue_daily_sums();
insert into ledger_daily_sums (day, kind, account, payment_kind, currency, amount)
  select (g.posted_at at time zone 'UTC')::date, g.kind, split_part(e.account, ':', 1), coalesce(p.kind, 'none'), e.currency, sum(e.amount)
  from ledger_groups g join ledger_entries e on e.group_id = g.id left join payments p on p.id = g.payment_id
  group by 1, 2, 3, 4, 5;
