-- What the payer's bank took of each payment in a lost dispute, besides refunds, less what it returned after an appeal.
create or replace view payment_figures as
select p.id as payment_id,
  coalesce(l.charged, case p.kind when 'deposit' then b.deposit_cents else b.balance_cents end, 0)::int as amount,
  coalesce(l.refunded, 0)::int as refunded_cents,
  coalesce(l.disputed, 0)::int as disputed_cents
from payments p
left join bookings b on b.id = p.booking_id
left join lateral (
  select -sum(e.amount) filter (where g.kind = 'charge' and e.account like 'held:%') as charged,
    -sum(e.amount) filter (
      where g.kind in ('refund_settled', 'refund_undone') and e.account in ('psp_clearing', 'dispute_in_flight')) as refunded,
    -sum(e.amount) filter (
      where g.kind in ('dispute_lost', 'dispute_regained') and e.account = 'dispute_in_flight') as disputed
  from ledger_groups g join ledger_entries e on e.group_id = g.id
  where g.payment_id = p.id) l on true;
