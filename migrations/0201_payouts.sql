-- What an artist is paid for one booking: planned when its money is released, sent as one transfer for each charge.
create table payouts (
  id         uuid primary key default gen_random_uuid(),
  booking_id uuid not null unique,
  artist_id  uuid not null,
  amount     int not null check (amount >= 0),       -- the artist's share; a refund before its transfers are planned makes it smaller
  currency   text not null check (currency ~ '^[a-z]{3}$'),
  due_at     timestamptz not null,
  planned_at timestamptz,                            -- when its transfers were planned; from then on the amount is fixed
  paid_at    timestamptz,                            -- when the last of them was made
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payouts_artist on payouts (artist_id, due_at);
create index payouts_due on payouts (due_at) where planned_at is null;

create table transfers (
  id               uuid primary key default gen_random_uuid(),   -- also the provider's idempotency key and mark
  payout_id        uuid not null references payouts,
  payment_id       uuid not null references payments,
  provider_payment text not null references provider_charges,    -- the charge whose money it is
  amount           int not null check (amount > 0),
  currency         text not null,
  destination      text,                                         -- the account it was first sent to; a repeat sends the same
  status           text not null default 'requested' check (status in ('requested','submitted','succeeded','failed')),
  provider_ref     text unique,
  amount_reversed  int not null default 0 check (amount_reversed between 0 and amount),
  attempts         int not null default 0,
  asked_at         timestamptz,
  look_up          boolean not null default false,
  last_error       text,
  next_try_at      timestamptz not null default now(),
  sent_at          timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  unique (payout_id, payment_id)
);
create index transfers_waiting on transfers (next_try_at) where status in ('requested','submitted');
create index transfers_charge on transfers (provider_payment);

-- Takes back a part of a transfer whose booking was refunded afterwards.
create table transfer_reversals (
  id           uuid primary key default gen_random_uuid(),       -- also the provider's idempotency key and mark
  transfer_id  uuid not null references transfers,
  amount       int not null check (amount > 0),
  currency     text not null,
  reason       text not null,
  cause_key    text not null unique,
  status       text not null default 'requested' check (status in ('requested','submitted','succeeded','failed')),
  provider_ref text unique,
  attempts     int not null default 0,
  asked_at     timestamptz,
  look_up      boolean not null default false,
  last_error   text,
  next_try_at  timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);
create index transfer_reversals_transfer on transfer_reversals (transfer_id);
create index transfer_reversals_waiting on transfer_reversals (next_try_at) where status in ('requested','submitted');

-- What was released before there were payouts is still owed. It is sent once the artist has connected an account.
insert into payouts (booking_id, artist_id, amount, currency, due_at, created_at, updated_at)
select g.booking_id, substr(e.account, 16)::uuid, -e.amount, e.currency, g.posted_at, g.posted_at, g.posted_at
  from ledger_groups g join ledger_entries e on e.group_id = g.id
 where g.kind = 'release' and e.account like 'artist_payable:%' and g.booking_id is not null;
