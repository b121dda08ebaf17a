-- A booking that an admin ends after a reported no-show has its own reason.
alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'replaced', 'not_requested', 'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'no_show', 'force_majeure', 'other'));
update bookings b set cancel_code = 'no_show'
where b.canceled_by = 'admin' and b.cancel_code = 'terms_broken'
  and exists (select 1 from no_show_reports n where n.booking_id = b.id and n.decided_by is not null);
