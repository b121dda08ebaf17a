-- Deposit, balance, refund, payout, the ledger. Amounts are integer minor units beside their currency.
create table payments (
  id               uuid primary key default gen_random_uuid(),   -- the intent: its id is the provider's idempotency key
  booking_id       uuid not null,
  kind             text not null check (kind in ('deposit','balance')),
  amount           int not null check (amount > 0),
  currency         text not null check (currency ~ '^[a-z]{3}$'),
  status           text not null default 'requires_payment_method'
                   check (status in ('requires_payment_method','succeeded','failed','refunded')),
  -- The life of the intent, beside the status people see: reserved (nothing asked yet), open (a checkout can be paid),
  -- paid, closed (expired, canceled, or given back).
  intent           text not null default 'reserved' check (intent in ('reserved','open','paid','closed')),
  title            text not null default '',
  provider         text not null,
  provider_ref     text unique,
  provider_payment text,
  provider_charge  text,
  checkout_url     text,
  expires_at       timestamptz,
  amount_refunded  int not null default 0 check (amount_refunded between 0 and amount),
  last_error       text,
  payment_date     timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);
-- At most one live charge per booking and kind: two tabs, two processes, a retry after a crash all meet here.
create unique index payments_one_live on payments (booking_id, kind) where intent in ('reserved','open','paid');
create index payments_booking on payments (booking_id, created_at);
create index payments_newest on payments (created_at desc, id desc);
create index payments_waiting on payments (expires_at) where intent in ('reserved','open');

create table refunds (
  id           uuid primary key default gen_random_uuid(),       -- also the provider's idempotency key
  payment_id   uuid not null references payments,
  amount       int not null check (amount > 0),
  currency     text not null,
  reason       text not null,
  cause_key    text not null unique,
  status       text not null default 'requested' check (status in ('requested','submitted','succeeded','failed')),
  provider_ref text unique,
  attempts     int not null default 0,
  last_error   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);
create index refunds_payment on refunds (payment_id);
create index refunds_waiting on refunds (created_at) where status in ('requested','submitted');

-- What a provider told us, once per event id. A webhook is a hint: the truth is fetched afterwards.
create table provider_events (
  id           text primary key,
  provider     text not null,
  type         text not null,
  object_id    text,
  payload      jsonb not null,
  received_at  timestamptz not null default now(),
  processed_at timestamptz,
  attempts     int not null default 0,
  last_error   text,
  dead_at      timestamptz
);
create index provider_events_waiting on provider_events (received_at) where processed_at is null and dead_at is null;

create table artist_connect (
  artist_id         uuid primary key references artists on delete cascade,
  onboarding_status text not null default 'not_started' check (onboarding_status in ('not_started','pending','completed','restricted')),
  provider_account  text unique,
  updated_at        timestamptz not null default now()
);

-- Double entry, append only. A group of postings has one cause and sums to zero in each currency.
create table ledger_groups (
  id         uuid primary key default gen_random_uuid(),
  cause_key  text not null unique,
  kind       text not null,
  booking_id uuid,
  payment_id uuid references payments,
  posted_at  timestamptz not null default now()
);
create index ledger_groups_booking on ledger_groups (booking_id);
create index ledger_groups_posted on ledger_groups (posted_at);

create table ledger_entries (
  id       bigint generated always as identity primary key,
  group_id uuid not null references ledger_groups,
  account  text not null,              -- psp_clearing, held:{booking}, artist_payable:{artist}, …
  amount   bigint not null check (amount <> 0),  -- debit is positive, credit is negative
  currency text not null check (currency ~ '^[a-z]{3}$')
);
create index ledger_entries_group on ledger_entries (group_id);
create index ledger_entries_account on ledger_entries (account, currency);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: post a correcting group instead';
end $$;
create trigger ledger_groups_fixed before update or delete on ledger_groups for each row execute function ledger_is_append_only();
create trigger ledger_entries_fixed before update or delete on ledger_entries for each row execute function ledger_is_append_only();

create function ledger_group_balances() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ledger_entries where group_id = new.group_id group by currency having sum(amount) <> 0) then
    raise exception 'ledger group % does not sum to zero', new.group_id;
  end if;
  return null;
end $$;
create constraint trigger ledger_balances after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_group_balances();

-- State of the sandbox provider. Only payments/sandbox touches these two; delete the folder and the product still works.
create table sandbox_objects (
  id         text primary key,
  kind       text not null,
  body       jsonb not null,
  created_at timestamptz not null default now()
);
create index sandbox_objects_kind on sandbox_objects (kind, created_at desc);
create table sandbox_requests (
  key         text primary key,
  fingerprint text not null,
  status      int not null,
  body        jsonb not null,
  created_at  timestamptz not null default now()
);
