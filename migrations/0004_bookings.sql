-- The request, the date, and what follows until the night is done.
create table bookings (
  id               uuid primary key default gen_random_uuid(),
  artist_id        uuid not null references artists,
  promoter_user_id uuid references users on delete set null,
  promoter_name    text not null,
  promoter_email   text not null,
  promoter_phone   text not null,
  event_date       date not null,
  event_time       text not null check (event_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  event_type       text not null,
  guest_count      int check (guest_count between 1 and 1000000),
  duration         text,
  duration_minutes int not null check (duration_minutes between 1 and 10080),
  special_requests text,
  venue_name       text not null,
  venue_address    text not null,
  time_zone        text not null,
  starts_at        timestamptz not null,
  ends_at          timestamptz not null check (ends_at > starts_at),
  status           text not null default 'initiated'
                   check (status in ('initiated','deposit_paid','contract_sent','contract_signed','completed','canceled')),
  -- The snapshot: what was agreed when the request was made. Later changes of settings or rates never reach it.
  fee_cents        int not null check (fee_cents between 0 and 99999999),
  currency         text not null check (currency ~ '^[a-z]{3}$'),
  deposit_percent  int not null check (deposit_percent between 0 and 100),
  deposit_cents    int not null check (deposit_cents between 0 and fee_cents),
  balance_cents    int not null check (balance_cents = fee_cents - deposit_cents),
  commission_bps   int not null check (commission_bps between 0 and 10000),
  policy_name      text not null,
  policy           jsonb not null,
  version          int not null default 1,
  access_key_hash  bytea,
  form_key         text unique,
  canceled_at      timestamptz,
  canceled_by      text check (canceled_by in ('promoter','artist','admin','system')),
  cancel_reason    text,
  deposit_paid_at  timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);
create index bookings_newest on bookings (created_at desc, id desc);
create index bookings_artist on bookings (artist_id, event_date, id);
create index bookings_promoter on bookings (promoter_user_id, event_date, id);
create index bookings_promoter_email on bookings (lower(promoter_email));
create index bookings_open on bookings (starts_at) where status in ('initiated','deposit_paid','contract_sent','contract_signed');

-- A date can be sold once: no two live claims of one artist overlap, whoever asks and through whichever door.
-- during = the show with travel and set-up buffers. A hold has an end; a booking has none.
create table date_claims (
  id          uuid primary key default gen_random_uuid(),
  artist_id   uuid not null references artists,
  booking_id  uuid not null unique references bookings,
  kind        text not null check (kind in ('hold','booked')),
  during      tstzrange not null,
  expires_at  timestamptz check ((kind = 'hold') = (expires_at is not null)),
  holder_browser text,
  holder_address text,
  holder_email   text,
  created_at  timestamptz not null default now(),
  constraint one_claim_per_date exclude using gist (artist_id with =, during with &&)
);
create index date_claims_ending on date_claims (expires_at) where kind = 'hold';
create index date_claims_browser on date_claims (holder_browser) where kind = 'hold';
create index date_claims_address on date_claims (holder_address) where kind = 'hold';
create index date_claims_email on date_claims (holder_email) where kind = 'hold';

-- When a hold ended, so that the same person cannot renew it at once (30 minutes).
create table past_holds (
  id          bigint generated always as identity primary key,
  artist_id   uuid not null references artists on delete cascade,
  event_date  date not null,
  holder_browser text,
  holder_address text,
  holder_email   text,
  ended_at    timestamptz not null
);
create index past_holds_recent on past_holds (artist_id, event_date, ended_at);

-- Verified reviews: one per completed booking.
create table reviews (
  id          uuid primary key default gen_random_uuid(),
  booking_id  uuid not null unique references bookings,
  artist_id   uuid not null references artists,
  author_name text not null,
  rating      smallint not null check (rating between 1 and 5),
  body        text not null default '',
  created_at  timestamptz not null default now()
);
create index reviews_artist on reviews (artist_id, created_at desc);

-- One-use links from mails that let their bearer pay one booking.
create table pay_links (
  hash       bytea primary key,
  booking_id uuid not null references bookings on delete cascade,
  created_at timestamptz not null default now(),
  used_at    timestamptz,
  expires_at timestamptz not null
);
