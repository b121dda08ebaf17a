-- The admin's payment search: by a part of a provider reference or of an email address, by amount, and by day.
create index payments_search on payments using gin (
  lower(coalesce(provider_ref, '') || chr(10) || coalesce(provider_payment, '') || chr(10) || coalesce(provider_charge, '') || chr(10) || coalesce(payer_email, '')) gin_trgm_ops
);
create index payments_amount on payments (amount, created_at desc, id desc);
create index payments_day on payments ((coalesce(payment_date, created_at)));
create index bookings_promoter_email on bookings using gin (lower(promoter_email) gin_trgm_ops);
