-- Recent authentication, and changes of how a person signs in that can be undone for seven days.

-- When the person last authenticated again inside this session (password or mailed code); sign-in methods stay in amr.
alter table sessions add column reauthenticated_at timestamptz;

-- One row per change of password, address, number, authenticators or recovery codes. Every address and number of the account gets
-- one link; the row keeps only its hash, and what undoing the change restores.
create table account_changes (
  id            uuid primary key default gen_random_uuid(),
  -- The order of changes: undoing one undoes the later ones first.
  seq           bigint generated always as identity,
  user_id       uuid not null references users on delete cascade,
  kind          text not null check (kind in ('password', 'email', 'phone', 'factor_added', 'factor_removed', 'recovery_codes')),
  token_hash    bytea not null unique,
  -- The former address or number with the time of its proof, or the authenticator's id and name.
  before        jsonb not null default '{}',
  -- The encrypted secret of an authenticator that was removed.
  factor_secret text,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  undone_at     timestamptz
);
create index account_changes_user on account_changes (user_id, seq);
create index account_changes_expiry on account_changes (expires_at);
