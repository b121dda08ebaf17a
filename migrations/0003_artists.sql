-- Who can be booked. Ownership is by key (user_id), never by name.
create table artists (
  id               uuid primary key default gen_random_uuid(),
  user_id          uuid unique references users on delete set null,
  slug             text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name             text not null check (length(name) between 1 and 120),
  genre            text not null check (genre in ('acoustic','blues','classical','country','electronic','folk','jazz','pop','rock','soul','other')),
  bio              text not null default '',
  photo_url        text,
  video_url        text,
  base_rate        int not null default 0 check (base_rate between 0 and 99999999),
  top_rate         int check (top_rate between 0 and 99999999),
  is_active        boolean not null default true,
  years_experience int check (years_experience between 0 and 99),
  location         text not null default '',
  lat              double precision,
  lon              double precision,
  time_zone        text not null default 'UTC',
  specialties      text[] not null default '{}',
  equipment        text[] not null default '{}',
  rating_x10       smallint not null default 0 check (rating_x10 between 0 and 50),
  review_count     int not null default 0,
  booked_count     int not null default 0,
  featured_rank    smallint,
  version          int not null default 1,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  -- "case-insensitive search on artist name or genre" as one column: a line feed can never be in a query,
  -- so  search_text like '%q%'  is true exactly when name or genre contains q.
  search_text      text not null generated always as (lower(name) || chr(10) || lower(genre)) stored
);
create index artists_search on artists using gin (search_text gin_trgm_ops, genre) with (fastupdate = off) where is_active;
create index artists_booked on artists (booked_count desc, id desc) where is_active;
create index artists_genre_booked on artists (genre, booked_count desc, id desc) where is_active;
create index artists_rating on artists (rating_x10 desc, id desc) where is_active;
create index artists_price on artists (base_rate, id) where is_active;
create index artists_newest on artists (created_at desc, id desc);
create index artists_featured on artists (featured_rank) where featured_rank is not null;

create table artist_media (
  id         uuid primary key default gen_random_uuid(),
  artist_id  uuid not null references artists on delete cascade,
  kind       text not null check (kind in ('photo', 'video')),
  url        text not null,
  caption    text not null default '',
  position   int not null default 0,
  created_at timestamptz not null default now()
);
create index artist_media_order on artist_media (artist_id, position);
