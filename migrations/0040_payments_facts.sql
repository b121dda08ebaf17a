-- What it takes to ask a provider for a checkout twice in the same words, and what the provider has told us, kept as facts.
alter table payments
  add column payer_email  text,
  add column description  text not null default '',
  add column image_url    text,
  add column asked_at     timestamptz,                     -- when the provider was first asked
  add column asked_with   jsonb,                           -- the addresses it was asked with: a repeat sends the same words
  add column asking_until timestamptz,                     -- who asks, asks alone until then; by the database's clock
  add column look_up      boolean not null default false,  -- the last answer was a 5xx: look before asking again
  add column looked_at    timestamptz;                     -- when an open checkout was last compared with the provider

-- Money that a provider says it took, once per provider payment, whether we kept it or put it aside to be given back.
create table provider_charges (
  provider_payment text primary key,
  payment_id       uuid references payments,
  checkout_ref     text,
  charge           text,
  amount           bigint not null check (amount > 0),
  currency         text not null check (currency ~ '^[a-z]{3}$'),
  taken_at         timestamptz not null,
  taken_as         text not null check (taken_as in ('payment','suspense')),
  why              text,
  check ((taken_as = 'suspense') = (why is not null))
);
create index provider_charges_payment on provider_charges (payment_id);
-- One charge per payment is kept; every other one is put aside.
create unique index provider_charges_kept on provider_charges (payment_id) where taken_as = 'payment';

alter table refunds
  alter column payment_id drop not null,                   -- money put aside may belong to no payment of ours
  add column provider_payment text not null references provider_charges,
  add column asked_at    timestamptz,
  add column look_up     boolean not null default false,
  add column next_try_at timestamptz not null default now();
drop index refunds_waiting;
create index refunds_waiting on refunds (next_try_at) where status in ('requested','submitted');
create index refunds_provider_payment on refunds (provider_payment);

alter table provider_events add column next_try_at timestamptz not null default now();
drop index provider_events_waiting;
create index provider_events_waiting on provider_events (next_try_at) where processed_at is null and dead_at is null;

-- What each comparison of provider and ledger found.
create table reconciliations (
  id          bigint generated always as identity primary key,
  started_at  timestamptz not null,
  finished_at timestamptz not null,
  compared    int not null,
  healed      int not null,
  differences jsonb not null
);
create index reconciliations_newest on reconciliations (started_at desc);

-- The sandbox delivers events and ends sessions at their time, also after a restart.
alter table sandbox_objects add column due_at timestamptz, add column attempts int not null default 0;
create index sandbox_objects_due on sandbox_objects (kind, due_at) where due_at is not null;
