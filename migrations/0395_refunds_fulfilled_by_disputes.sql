-- A refund that a lost dispute fulfilled has gone back to the payer as well: the bank took it, and nothing was sent by us.
create or replace view payment_figures as
select p.id as payment_id,
  coalesce(l.charged, case p.kind when 'deposit' then b.deposit_cents else b.balance_cents end, 0)::int as amount,
  coalesce(l.refunded, 0)::int as refunded_cents
from payments p
left join bookings b on b.id = p.booking_id
left join lateral (
  select -sum(e.amount) filter (where g.kind = 'charge' and e.account like 'held:%') as charged,
    -sum(e.amount) filter (
      where g.kind in ('refund_settled', 'refund_undone') and e.account in ('psp_clearing', 'dispute_in_flight')) as refunded
  from ledger_groups g join ledger_entries e on e.group_id = g.id
  where g.payment_id = p.id) l on true;
