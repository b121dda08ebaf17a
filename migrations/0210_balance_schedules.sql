-- How the balance of a signed booking is asked for. One row per booking says where its ladder stands; what has been done is kept
-- step by step. `round` counts the due dates: 0 is the first, and every extension by the artist begins another one.
create table balance_schedules (
  booking_id uuid primary key references bookings (id) on delete cascade,
  round      integer not null default 0 check (round >= 0),
  started_at timestamptz not null,
  due_day    date,
  last_step  text check (last_step in ('reminder', 'due', 'overdue', 'overdue_again', 'last_call', 'decision')),
  next_step  text check (next_step in ('reminder', 'due', 'overdue', 'overdue_again', 'last_call', 'decision')),
  next_at    timestamptz,
  check ((next_step is null) = (next_at is null))
);
comment on column balance_schedules.started_at is 'From when this round is counted: both had signed, or the artist extended';
comment on column balance_schedules.due_day is 'The last day to pay, in the zone of the event; null: due at once, at started_at';
create index balance_schedules_next on balance_schedules (next_at) where next_at is not null;

create table balance_steps (
  booking_id uuid not null references bookings (id) on delete cascade,
  round      integer not null,
  step       text not null check (step in
    ('link_created', 'reminder', 'due', 'overdue', 'overdue_again', 'last_call', 'decision', 'extended')),
  due_day    date,
  at         timestamptz not null,
  primary key (booking_id, round, step)
);

-- A link for whoever pays the balance opens the checkout and nothing else, as often as it takes until the balance is paid.
-- The other links are the promoter's own: they work once, and their browser gets the booking's key.
alter table pay_links add column balance_only boolean not null default false;

-- An artist may end a booking because its balance was not paid; everybody else's cancellation has a code of its own.
alter table bookings drop constraint bookings_cancel_code_of_system;
alter table bookings add constraint bookings_cancel_code_of_system check (
  canceled_by = 'system' or (canceled_by = 'artist' and cancel_code = 'balance_unpaid') or cancel_code not in (
    'date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid', 'replaced'));
