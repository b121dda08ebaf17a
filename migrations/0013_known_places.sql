-- Places a person has signed in from, apart from sessions: a stranger's guesses from elsewhere do not slow the owner down there,
-- even after signing out everywhere. The address block is a keyed fingerprint. second_factor: both factors were proven there.
create table known_places (
  user_id       uuid not null references users on delete cascade,
  block_hash    bytea not null,
  second_factor boolean not null default false,
  last_used_at  timestamptz not null,
  primary key (user_id, block_hash)
);
create index known_places_last_used on known_places (last_used_at);

-- Wrong codes are counted per place, by the limits: a stranger's do not make the owner's code void.
alter table one_time_tokens drop column attempts;
