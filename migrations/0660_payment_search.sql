-- The admin's payments are listed, narrowed and searched by the day of the payment or, unpaid, of its checkout.
drop index payments_day, payments_amount, payments_status;
create index payments_day on payments ((coalesce(payment_date, created_at)) desc, id desc);
create index payments_amount on payments (amount, (coalesce(payment_date, created_at)) desc, id desc);
create index payments_status on payments (status, (coalesce(payment_date, created_at)) desc, id desc);
-- Parts of references and of email addresses are searched apart: a reference has so many letters that an index of both is slow for addresses.
drop index payments_search;
create index payments_references on payments using gin (
  lower(coalesce(provider_ref, '') || chr(10) || coalesce(provider_payment, '') || chr(10) || coalesce(provider_charge, '')) gin_trgm_ops
);
create index payments_payer_email on payments using gin (lower(payer_email) gin_trgm_ops);
