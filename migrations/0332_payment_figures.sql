-- The figures of each payment by the ledger: what was charged, and what of it has gone back. An attempt that took nothing shows what its
-- booking asks for. The amounts in the table of payments are what the provider was asked for, and no screen reads them.
create index ledger_groups_payment on ledger_groups (payment_id) where payment_id is not null;
create view payment_figures as
select p.id as payment_id,
  coalesce(l.charged, case p.kind when 'deposit' then b.deposit_cents else b.balance_cents end, 0)::int as amount,
  coalesce(l.refunded, 0)::int as refunded_cents
from payments p
left join bookings b on b.id = p.booking_id
left join lateral (
  select -sum(e.amount) filter (where g.kind = 'charge' and e.account like 'held:%') as charged,
    -sum(e.amount) filter (where g.kind in ('refund_settled', 'refund_undone') and e.account = 'psp_clearing') as refunded
  from ledger_groups g join ledger_entries e on e.group_id = g.id
  where g.payment_id = p.id) l on true;
