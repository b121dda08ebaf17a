-- The calendar feeds of a person: their shows with all details, and for an artist a public one that says busy and nothing more.
-- The address has a secret token: its hash finds the feed, the encrypted token shows the address again. Without a token the feed is off.
create table calendar_feeds (
  user_id         uuid not null references users on delete cascade,
  kind            text not null check (kind in ('private', 'public')),
  token_hash      bytea unique,
  token_sealed    text,
  created_at      timestamptz not null default installation_now(),
  last_fetched_at timestamptz,
  last_client     text,
  primary key (user_id, kind),
  check ((token_hash is null) = (token_sealed is null))
);
