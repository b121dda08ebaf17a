-- A part of a transfer that was reversed in the provider's dashboard is owed to the artist again. The transfer that sends it again waits for an
-- admin, like a refused one (decision 201).
alter table transfers add column replaced_reversal_id uuid references transfer_reversals;
alter table transfers drop constraint transfers_once;
alter table transfers add constraint transfers_once
  unique nulls not distinct (payout_id, payment_id, returned_dispute_id, replaced_reversal_id);
-- Reversals before this version.
with owed as (
  insert into transfers (payout_id, payment_id, provider_payment, amount, currency, destination, status, last_error, settled_amount,
    settled_currency, returned_dispute_id, replaced_reversal_id)
  select t.payout_id, t.payment_id, t.provider_payment, r.amount, t.currency, t.destination, 'failed', 'It was reversed in the provider''s dashboard.',
      r.settled_amount, r.settled_currency, t.returned_dispute_id, r.id
    from transfer_reversals r join transfers t on t.id = r.transfer_id
   where r.cause_key like 'provider:%' and r.status = 'succeeded'
  returning payout_id, amount)
update payouts p set amount = p.amount + o.amount, paid_at = null
  from (select payout_id, sum(amount)::int as amount from owed group by payout_id) o where o.payout_id = p.id;
