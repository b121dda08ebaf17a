-- A booking that ends because an admin withdrew an attested signature has its own reason.
alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'replaced', 'not_requested', 'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'no_show', 'signature_withdrawn',
  'force_majeure', 'other'));
