-- A request that another browser sent in an account's name: the account confirms it before anything can be paid.
alter table bookings add column needs_confirmation boolean not null default false;

-- A key opens a booking only while no account owns it.
update bookings set access_key_hash = null where promoter_user_id is not null;
-- A browser that verified the mailbox gets a key of its own from now on. Until a link is opened again, nobody has such a key.
update bookings set email_proven_at = null where promoter_user_id is null;

alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'replaced', 'not_requested', 'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'force_majeure', 'other'));
