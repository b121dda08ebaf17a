-- What signing in needs beyond accounts and sessions: keys that sign tokens, codes, second factors.

-- Keys that sign access tokens. The private part is encrypted with the installation's key; a key is published
-- before it signs and stays published until the last token it signed has run out.
create table signing_keys (
  kid         text primary key,
  private_key text not null,
  public_key  jsonb not null,
  active_from timestamptz not null,
  retired_at  timestamptz,
  created_at  timestamptz not null default now()
);

-- A one-time token can be proven by its link or by a short code; code_hash is keyed, because six digits are few.
alter table one_time_tokens add column code_hash bytea;
create index one_time_tokens_target on one_time_tokens (kind, target);

alter table users
  add column email_change_old_ok boolean not null default false,
  add column email_change_new_ok boolean not null default false,
  add column password_changed_at timestamptz,
  add column suspended_reason text;

-- The address block a session was opened from: the owner's own places are not slowed down by a stranger's guesses.
alter table sessions add column ip_block text;

create table factors (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references users on delete cascade,
  friendly_name text not null default '',
  status        text not null default 'unverified' check (status in ('unverified', 'verified')),
  secret        text not null,
  last_step     bigint not null default 0,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create index factors_user on factors (user_id);
create unique index factors_name on factors (user_id, friendly_name) where friendly_name <> '';

create table factor_challenges (
  id         uuid primary key default gen_random_uuid(),
  factor_id  uuid not null references factors on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  expires_at timestamptz not null
);
create index factor_challenges_factor on factor_challenges (factor_id);

create table recovery_codes (
  user_id    uuid not null references users on delete cascade,
  hash       bytea not null,
  used_at    timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, hash)
);
