-- Pictures that artists upload. A row names a file of the bucket artist-media (path {userId}/{photo|video}_{timestamp}.webp) with
-- its two derived files: the small one, and the AVIF ones once a job has made them. A file without a row is removed by a job.
create table artist_files (
  name         text primary key check (name ~ '^[0-9a-f-]{36}/(photo|video)_[0-9]{1,16}\.webp$'),
  user_id      uuid not null references users on delete cascade,
  kind         text not null check (kind in ('photo', 'video')),
  bytes        int not null check (bytes > 0),
  width        int not null check (width > 0),
  height       int not null check (height > 0),
  -- base64; a blurred preview of about 30 bytes
  thumbhash    text not null,
  avif_at      timestamptz,
  -- The job tries three times, so that a picture that cannot be encoded does not keep it busy for ever.
  avif_tries   smallint not null default 0,
  avif_try_at  timestamptz not null default now(),
  created_at   timestamptz not null default now()
);
create index artist_files_owner on artist_files (user_id, name);
create index artist_files_without_avif on artist_files (avif_try_at) where avif_at is null;

-- What a screen must know of an uploaded picture before it is loaded: {width, height, thumbhash, avif}. Beside the address, so that
-- a list of artists needs no further table. Null for drawn pictures and foreign addresses.
alter table artists add column photo_image jsonb;
alter table artist_media add column image jsonb;
-- What the picture shows, for those who do not see it; the caption is shown to everybody.
alter table artist_media add column alt text not null default '';

-- The place of the bundled gazetteer that was chosen; rows written before have only the text of their location.
alter table artists add column place_id text;
-- Where the artist can be called. Another number than the one of the account, which signs in.
alter table artists add column contact_phone text;
