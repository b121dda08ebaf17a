-- Preferences: one document per scope, validated by the room's rules.
create table settings (
  scope      text not null check (scope in ('platform','artist','promoter')),
  owner_id   uuid not null default '00000000-0000-0000-0000-000000000000',
  value      jsonb not null,
  version    int not null default 1,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (scope, owner_id)
);

-- What happened, for people.
create table activity (
  id         uuid primary key default gen_random_uuid(),
  type       text not null check (type in ('booking','contract','payment','notification','system')),
  ref_id     text,
  message    text not null,
  meta       jsonb not null default '{}',
  actor_id   uuid,
  created_at timestamptz not null default now()
);
create index activity_newest on activity (created_at desc, id desc);
create index activity_ref on activity (ref_id, created_at desc);

-- Every mail, SMS and in-app note: written with its cause, sent afterwards. dedupe_key makes "told once" a constraint.
create table messages (
  id         uuid primary key default gen_random_uuid(),
  channel    text not null check (channel in ('email','sms','app')),
  recipient  text not null,
  template   text not null,
  subject    text not null default '',
  text       text not null,
  html       text,
  ref_id     text,
  dedupe_key text unique,
  status     text not null default 'waiting' check (status in ('waiting','sent','failed')),
  attempts   int not null default 0,
  last_error text,
  next_try_at timestamptz not null default now(),
  sent_at    timestamptz,
  created_at timestamptz not null default now()
);
create index messages_newest on messages (created_at desc, id desc);
create index messages_waiting on messages (next_try_at) where status = 'waiting';
create index messages_recipient on messages (lower(recipient), created_at desc);

create table contact_messages (
  id         uuid primary key default gen_random_uuid(),
  name       text not null,
  email      text not null,
  subject    text not null default '',
  message    text not null,
  created_at timestamptz not null default now()
);
