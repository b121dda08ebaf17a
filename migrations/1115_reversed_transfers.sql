-- A part of a transfer that was reversed in the provider's dashboard is owed to the artist again. The transfer that sends it again waits for an
-- admin, like a refused one (decision 201).
alter table transfers add column replaced_reversal_id uuid references transfer_reversals;
alter table transfers drop constraint transfers_once;
alter table transfers add constraint transfers_once
  unique nulls not distinct (payout_id, payment_id, returned_dispute_id, replaced_reversal_id);
-- Reversals before this version. What a refund or lost dispute took since, without a planned reversal that can still be made, is not owed again:
-- it is posted as taken from what was owed.
with reversed as (
  select r.id, r.transfer_id, t.payout_id, r.amount, r.settled_amount, r.settled_currency,
      sum(r.amount) over (partition by t.payout_id order by r.created_at, r.id) as until_here
    from transfer_reversals r join transfers t on t.id = r.transfer_id
   where r.cause_key like 'provider:%' and r.status = 'succeeded'
), taken as (
  select p.id, greatest(0, (
      select coalesce(sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
       where g.booking_id = p.booking_id and e.account = 'artist_receivable:' || p.artist_id and e.currency = p.currency) - (
      select coalesce(sum(least(t.amount - t.amount_reversed, (
          select sum(r.amount) from transfer_reversals r where r.transfer_id = t.id and r.status <> 'succeeded'))), 0)
        from transfers t where t.payout_id = p.id)) as amount
    from payouts p where p.id in (select payout_id from reversed)
), owed as (
  insert into transfers (payout_id, payment_id, provider_payment, amount, currency, destination, status, last_error, settled_amount,
    settled_currency, returned_dispute_id, replaced_reversal_id)
  select t.payout_id, t.payment_id, t.provider_payment, again.amount, t.currency, t.destination, 'failed', 'It was reversed in the provider''s dashboard.',
      greatest(1, trunc(r.settled_amount::numeric * again.amount / r.amount)), r.settled_currency, t.returned_dispute_id, r.id
    from reversed r join transfers t on t.id = r.transfer_id join taken on taken.id = r.payout_id
      cross join lateral (select greatest(0, least(r.amount, r.until_here - taken.amount)) as amount) again
   where again.amount > 0
  returning payout_id, amount
), offsets as (
  select p.id, p.booking_id, p.artist_id, p.currency, least(taken.amount, (select sum(r.amount) from reversed r where r.payout_id = p.id)) as amount
    from taken join payouts p on p.id = taken.id where taken.amount > 0
), groups as (
  insert into ledger_groups (cause_key, kind, booking_id) select 'payout_offset:' || id, 'payout_offset', booking_id from offsets
  returning id, booking_id
), entries as (
  insert into ledger_entries (group_id, account, amount, currency)
  select g.id, side.account, side.amount, o.currency from groups g join offsets o on o.booking_id = g.booking_id
    cross join lateral (values ('artist_payable:' || o.artist_id, o.amount), ('artist_receivable:' || o.artist_id, -o.amount)) as side (account, amount)
)
update payouts p set amount = p.amount + o.amount, paid_at = null
  from (select payout_id, sum(amount)::int as amount from owed group by payout_id) o where o.payout_id = p.id;
