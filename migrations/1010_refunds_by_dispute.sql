-- A refund that a lost dispute completed, because the bank returned the money to the payer.
alter table refunds add by_dispute_at timestamptz;
update refunds set by_dispute_at = updated_at
 where status = 'succeeded' and provider_ref is null and paid_outside_at is null
   and exists (select 1 from disputes d where d.provider_payment = refunds.provider_payment and d.from_refunds > 0);
-- Failed refunds whose dispute was lost before: the event completes them, so that nobody pays them a second time.
insert into event_outbox (topic, body)
select 'refund.failed', jsonb_build_object(
    'refundId', r.id, 'paymentId', r.payment_id, 'bookingId', p.booking_id, 'amount', r.amount, 'currency', r.currency,
    'reason', coalesce(r.last_error, 'no reason given'), 'returned', r.provider_ref is not null, 'afterDispute', true,
    'failedAt', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from refunds r left join payments p on p.id = r.payment_id
 where r.status = 'failed'
   and exists (select 1 from disputes d where d.provider_payment = r.provider_payment and d.status = 'lost' and d.from_loss > 0);
