-- Calendars of other programs that an artist has added. Their entries are reservations of the kind external. A calendar that cannot be
-- read keeps the entries of its last good state.
create table external_calendars (
  id              uuid primary key default gen_random_uuid(),
  artist_id       uuid not null references artists on delete cascade,
  name            text not null,
  url_sealed      text not null,
  url_host        text not null,
  etag            text,
  entry_count     int not null default 0,
  created_at      timestamptz not null default installation_now(),
  -- The last attempt, the last good one, and the last one that read the whole calendar.
  checked_at      timestamptz,
  last_success_at timestamptz,
  last_read_at    timestamptz,
  failing_since   timestamptz,
  message         text,
  notified_at     timestamptz,
  check ((failing_since is null) = (message is null))
);
create index external_calendars_artist on external_calendars (artist_id, created_at);
create index external_calendars_due on external_calendars (checked_at nulls first);

alter table date_reservations add column external_calendar_id uuid references external_calendars on delete cascade;
create index date_reservations_external on date_reservations (external_calendar_id) where external_calendar_id is not null;
