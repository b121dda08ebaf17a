-- The floor: what every room stands on. PostgreSQL 15 syntax is the lowest common ground; the embedded engine runs the same text.
create extension if not exists btree_gist;
create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- Events published in the transaction that caused them; app/reactions.ts says who answers.
create table outbox (
  id           bigint generated always as identity primary key,
  topic        text not null,
  body         jsonb not null,
  created_at   timestamptz not null default now(),
  available_at timestamptz not null default now(),
  attempts     int not null default 0,
  last_error   text,
  dead_at      timestamptz
);
create index outbox_waiting on outbox (available_at, id) where dead_at is null;

-- Fixed windows per key: sign-in tries, form posts, mails. A key holds an HMAC of the address, never the address itself.
create table rate_limits (
  key      text primary key,
  hits     int not null,
  reset_at timestamptz not null
);
create index rate_limits_reset on rate_limits (reset_at);

-- Things done exactly once in the life of a database, such as the demo seed.
create table marks (
  name text primary key,
  at   timestamptz not null default now(),
  note text
);

-- Secrets made by this installation (token keys, cookie keys) and shared by all its processes.
create table installation_keys (
  name       text primary key,
  value      text not null,
  created_at timestamptz not null default now()
);
