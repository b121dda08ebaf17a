-- Why a booking was canceled: a code, and apart from it what a person wrote. Codes of the system decide which emails follow,
-- so no person can cause them with their own words.
alter table bookings add column cancel_code text;
alter table bookings add column cancel_note text;
update bookings set
  cancel_code = case
    when canceled_by = 'system' and cancel_reason = 'date_lost' then 'date_lost'
    when canceled_by = 'system' and cancel_reason = 'lapsed' then 'expired'
    when canceled_by = 'system' and cancel_reason = 'money_returned' then 'money_returned'
    else 'other' end,
  cancel_note = case
    when canceled_by = 'system' and cancel_reason in ('date_lost', 'lapsed', 'money_returned') then null
    else cancel_reason end
where status = 'canceled';
alter table bookings drop column cancel_reason;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'other'));
alter table bookings add constraint bookings_cancel_code_of_system check (
  canceled_by = 'system' or cancel_code not in ('date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid'));
alter table bookings add constraint bookings_cancel_is_whole check ((canceled_at is null) = (cancel_code is null));
