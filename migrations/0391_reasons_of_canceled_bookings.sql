-- Two changes of one day each wrote the list of reasons anew, and the later one left out the end by agreement of both.
alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
  'replaced', 'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'force_majeure', 'other'));
