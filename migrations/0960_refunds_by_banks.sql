-- A refund that a lost dispute fulfilled was paid by the payer's bank: it counts as lost in disputes, as in the provider's records.
create or replace view payment_figures as
select p.id as payment_id,
  coalesce(l.charged, case p.kind when 'deposit' then b.deposit_cents else b.balance_cents end, 0)::int as amount,
  coalesce(l.refunded, 0)::int as refunded_cents,
  coalesce(l.disputed, 0)::int as disputed_cents
from payments p
left join bookings b on b.id = p.booking_id
left join lateral (
  select -sum(e.amount) filter (where g.kind = 'charge' and e.account like 'held:%') as charged,
    -sum(e.amount) filter (where g.kind in ('refund_settled', 'refund_undone') and e.account = 'psp_clearing') as refunded,
    -sum(e.amount) filter (
      where g.kind in ('dispute_lost', 'dispute_regained', 'refund_settled') and e.account = 'dispute_in_flight') as disputed
  from ledger_groups g join ledger_entries e on e.group_id = g.id
  where g.payment_id = p.id) l on true;
