-- A dispute of a card payment stops the payout of its booking; the job that plans payouts asks for it by the payment.
create index provider_events_disputes on provider_events ((payload->>'paymentRef')) where type like 'charge.dispute.%';
