-- Money that an appeal won back before this version, of bookings whose held money is not divided yet, is held again (decision 301).
with due as (
  select d.id, d.booking_id, d.payment_id, d.currency,
      round(least(d.regained, d.withdrawn - d.from_refunds)::numeric * d.from_held / (d.withdrawn - d.from_refunds))::int - d.returned_held as amount
    from disputes d join bookings b on b.id = d.booking_id
   where d.settled_at is not null and d.regained > 0 and d.withdrawn > d.from_refunds and d.from_artist + d.from_platform = 0
     and b.status not in ('completed', 'canceled')
     and not exists (select 1 from ledger_groups g where g.booking_id = d.booking_id and g.kind = 'release')),
held as (
  update disputes d set returned_held = d.returned_held + due.amount from due where d.id = due.id and due.amount > 0
  returning due.*),
posted as (
  insert into ledger_groups (cause_key, kind, booking_id, payment_id)
  select 'dispute:' || id || ':held_again', 'dispute_regained', booking_id, payment_id from held
  returning id, cause_key)
insert into ledger_entries (group_id, account, amount, currency)
select p.id, e.account, e.amount, h.currency
  from held h join posted p on p.cause_key = 'dispute:' || h.id || ':held_again' cross join lateral (values
    ('held:' || h.booking_id, -h.amount), ('dispute_loss', h.amount)) e(account, amount);
