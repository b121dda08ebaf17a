-- Sound samples of an artist. A row names a file of the bucket artist-media (path {artistId}/sample_{timestamp}.mp3); a file
-- without a row is removed by a job.
create table artist_samples (
  id           uuid primary key,
  artist_id    uuid not null references artists on delete cascade,
  name         text not null unique check (name ~ '^[0-9a-f-]{36}/sample_[0-9]{1,19}\.mp3$'),
  title        text not null check (char_length(title) between 1 and 80),
  position     smallint not null,
  bytes        int not null check (bytes > 0),
  seconds      real not null check (seconds > 0),
  -- Of the recording as it came, in LUFS, and what was added to it in decibels.
  loudness     real not null,
  gain         real not null,
  -- The waveform: 96 characters from 0 to z.
  bars         text not null check (bars ~ '^[0-9a-z]{96}$'),
  created_at   timestamptz not null default installation_now()
);
create index artist_samples_order on artist_samples (artist_id, position);
