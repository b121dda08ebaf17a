-- Which browser sent a request (a keyed fingerprint of its own cookie), so that a repeated form gives the booking key to no other one.
alter table bookings add column request_browser text;
-- When the mailbox of the request was proven: a link from one of its emails was used, or an account with that address took it over.
alter table bookings add column email_proven_at timestamptz;
update bookings set email_proven_at = created_at where promoter_user_id is not null;
-- A request that its own person replaced by another one for the same artist and evening.
alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid', 'replaced',
  'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'other'));
alter table bookings drop constraint bookings_cancel_code_of_system;
alter table bookings add constraint bookings_cancel_code_of_system check (
  canceled_by = 'system' or cancel_code not in
    ('date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid', 'replaced'));
