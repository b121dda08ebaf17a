-- Ranked holds: an artist's nights kept for a promoter without money, in order of rank. The first hold of a night has a row in
-- date_reservations, so no other account can open a checkout for it. A hold that the artist enters by hand has a name, and the
-- promoter's account only if there is one.
create table holds (
  id               uuid primary key default gen_random_uuid(),
  artist_id        uuid not null references artists on delete cascade,
  promoter_user_id uuid references users on delete cascade,
  entered_name      text,
  event_time       text not null,
  event_location   text not null,
  event_type       text not null,
  note             text not null,
  created_at       timestamptz not null default installation_now(),
  check (promoter_user_id is not null or entered_name is not null)
);
create index holds_of_promoter on holds (promoter_user_id, created_at);
create index holds_of_artist on holds (artist_id, created_at);

create table hold_nights (
  id                uuid primary key default gen_random_uuid(),
  hold_id           uuid not null references holds on delete cascade,
  artist_id         uuid not null references artists on delete cascade,
  promoter_user_id  uuid references users on delete cascade,
  night             date not null,
  state             text not null check (state in ('active', 'booked', 'released', 'expired', 'lost', 'superseded')),
  rank              int check ((state = 'active') = (rank is not null)),
  expires_at        timestamptz not null,
  challenge_ends_at timestamptz,
  must_pay          boolean not null default false,
  booking_id        uuid references bookings on delete set null,
  ended_at          timestamptz,
  unique (hold_id, night),
  constraint one_hold_per_rank unique (artist_id, night, rank) deferrable initially deferred
);
create unique index one_active_hold_per_promoter on hold_nights (artist_id, night, promoter_user_id) where state = 'active';
create index hold_nights_ending on hold_nights (coalesce(challenge_ends_at, expires_at)) where state = 'active';
create index hold_nights_of_booking on hold_nights (booking_id) where booking_id is not null;
create index hold_nights_of_promoter on hold_nights (promoter_user_id, artist_id, night);

create table hold_challenges (
  id               uuid primary key default gen_random_uuid(),
  artist_id        uuid not null references artists on delete cascade,
  night            date not null,
  promoter_user_id uuid not null references users on delete cascade,
  hold_night_id    uuid not null references hold_nights on delete cascade,
  started_at       timestamptz not null,
  ends_at          timestamptz not null,
  closed_at        timestamptz,
  outcome          text check (outcome in ('moved_up', 'night_booked', 'withdrawn')),
  check ((closed_at is null) = (outcome is null)),
  unique (artist_id, night, promoter_user_id)
);
create unique index one_running_challenge on hold_challenges (artist_id, night) where closed_at is null;
create index hold_challenges_of_hold on hold_challenges (hold_night_id);

alter table date_reservations add column hold_night_id uuid unique references hold_nights on delete cascade;
