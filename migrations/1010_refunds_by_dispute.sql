-- A refund that a lost dispute completed, because the bank returned the money to the payer.
alter table refunds add by_dispute_at timestamptz;
update refunds set by_dispute_at = updated_at
 where status = 'succeeded' and provider_ref is null and paid_outside_at is null
   and exists (select 1 from disputes d where d.provider_payment = refunds.provider_payment and d.from_refunds > 0);
