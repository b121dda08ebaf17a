-- Sign-in by a hosted service: what this house must know of its people and sessions.

alter table users
  -- When the hosted service last spoke of this person; null for accounts of our own.
  add column hosted_seen_at timestamptz,
  -- A second factor is verified there.
  add column hosted_factor boolean not null default false;

-- When the hosted service last vouched for the session; null asks it at the next request.
alter table sessions add column checked_at timestamptz;

-- Sessions of the hosted service that were ended here. Its tokens would bring them back; they stay ended until they could
-- not live any longer by their age. told: the service has ended it too.
create table ended_sessions (
  id         uuid primary key,
  user_id    uuid not null references users on delete cascade,
  told       boolean not null default false,
  expires_at timestamptz not null
);
create index ended_sessions_expiry on ended_sessions (expires_at);
