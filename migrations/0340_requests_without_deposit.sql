-- A request to an artist who asks for no deposit: until this moment the artist may accept it. Its acceptance counts as the deposit of 0
-- that was paid, so that no payment belongs to it.
alter table bookings add column answer_due_at timestamptz;
-- Requests that stand already and ask for no deposit could neither be paid nor answered.
update bookings set answer_due_at = least(installation_now() + interval '72 hours', starts_at)
  where status = 'initiated' and deposit_cents = 0 and fee_cents > 0;
alter table bookings add constraint bookings_answer_without_deposit check (answer_due_at is null or deposit_cents = 0);
alter table bookings drop constraint bookings_deposit_fact;
alter table bookings add constraint bookings_deposit_fact check (
  case when answer_due_at is null then (deposit_paid_at is null) = (deposit_payment_id is null) else deposit_payment_id is null end);
create index bookings_to_answer on bookings (answer_due_at) where status = 'initiated' and answer_due_at is not null;

alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'replaced', 'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'force_majeure', 'other'));
alter table bookings drop constraint bookings_cancel_code_of_system;
alter table bookings add constraint bookings_cancel_code_of_system check (
  canceled_by = 'system' or (canceled_by = 'artist' and cancel_code in ('balance_unpaid', 'request_declined')) or cancel_code not in (
    'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
    'replaced'));
