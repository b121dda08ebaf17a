-- A person with an artist's name asks for an artist nobody owns; an admin decides. Nothing is taken over by name alone.
create table artist_claims (
  id         uuid primary key default gen_random_uuid(),
  artist_id  uuid not null references artists on delete cascade,
  user_id    uuid not null references users on delete cascade,
  evidence   text not null check (length(evidence) between 10 and 4000),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users on delete set null,
  granted    boolean,
  note       text
);
create unique index artist_claims_open on artist_claims (artist_id, user_id) where decided_at is null;
create unique index artist_claims_granted on artist_claims (artist_id) where granted;
create index artist_claims_waiting on artist_claims (created_at) where decided_at is null;

-- Whoever bears the name of an artist without an owner is shown it.
create index artists_unowned_name on artists (lower(regexp_replace(trim(name), '\s+', ' ', 'g'))) where user_id is null;
