-- Charges that the payer's bank may take back: an open dispute, or a notice of one that is still to be processed.
create view disputed_charges as
select provider_payment from disputes where closed_at is null
union all
select payload->>'paymentRef' from provider_events
 where type like 'charge.dispute.%' and processed_at is null and dead_at is null;
