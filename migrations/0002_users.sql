-- Accounts, profiles and sessions. The role lives in profiles and is read on every request.
create table users (
  id                  uuid primary key default gen_random_uuid(),
  email               text,
  phone               text,
  password_hash       text,
  email_confirmed_at  timestamptz,
  phone_confirmed_at  timestamptz,
  new_email           text,
  new_phone           text,
  banned_until        timestamptz,
  user_metadata       jsonb not null default '{}',
  confirmation_sent_at timestamptz,
  recovery_sent_at    timestamptz,
  last_sign_in_at     timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  deleted_at          timestamptz
);
create unique index users_email on users (lower(email)) where deleted_at is null;
create unique index users_phone on users (phone) where deleted_at is null;

create table profiles (
  user_id    uuid primary key references users on delete cascade,
  email      text not null,
  name       text not null,
  role       text not null default 'promoter' check (role in ('admin', 'artist', 'promoter')),
  created_at timestamptz not null default now()
);
create index profiles_newest on profiles (created_at desc, user_id);
create index profiles_role on profiles (role);

create table sessions (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users on delete cascade,
  aal        text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  amr        jsonb not null default '[]',
  user_agent text,
  ip         text,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  not_after  timestamptz not null
);
create index sessions_user on sessions (user_id);

-- A child token is HMAC(server key, parent); only hashes are stored. seq grows along the chain of one session.
create table refresh_tokens (
  hash       bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  parent     bytea,
  seq        int not null,
  used_at    timestamptz,
  created_at timestamptz not null default now()
);
create unique index refresh_tokens_chain on refresh_tokens (session_id, seq);

create table one_time_tokens (
  hash       bytea primary key,
  user_id    uuid not null references users on delete cascade,
  kind       text not null,
  target     text not null,
  redirect   text,
  nonce_hash bytea,
  attempts   int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index one_time_tokens_user on one_time_tokens (user_id, kind);

create table admin_requests (
  user_id    uuid primary key references users on delete cascade,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  granted    boolean
);
