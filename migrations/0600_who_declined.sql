-- Whoever declines a contract has canceled its booking; until now the system was named.
alter table bookings drop constraint bookings_cancel_code_of_system;
update bookings b set canceled_by = k.declined_by
  from contracts k where k.booking_id = b.id and b.cancel_code = 'contract_declined' and k.declined_by is not null;
alter table bookings add constraint bookings_cancel_code_of_system check (
  canceled_by = 'system'
  or (canceled_by = 'artist' and cancel_code in ('balance_unpaid', 'request_declined'))
  or (canceled_by in ('promoter', 'artist') and cancel_code = 'contract_declined')
  or cancel_code not in (
    'date_lost', 'expired', 'unanswered', 'request_declined', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid',
    'replaced', 'not_requested'));
