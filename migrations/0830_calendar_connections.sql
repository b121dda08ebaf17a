-- Calendars on a person's own CalDAV server that we write their shows into. Each connection has one calendar that we made there.
create table calendar_connections (
  id               uuid primary key default gen_random_uuid(),
  user_id          uuid not null references users on delete cascade,
  server_url       text not null,
  username         text not null,
  password_sealed  text not null,
  -- Where our calendar is, once its server was found.
  calendar_url     text,
  created_at       timestamptz not null,
  -- When the next turn is due. While a process works on the connection, no other one does.
  next_sync_at     timestamptz not null,
  leased_until     timestamptz,
  attempts         int not null default 0,
  last_success_at  timestamptz,
  last_written_at  timestamptz,
  failing_since    timestamptz,
  message          text,
  failed_field     text check (failed_field in ('server_url', 'username', 'password')),
  notified_at      timestamptz,
  -- The person has removed the connection: our calendar is deleted from the server, then the row.
  removing_since   timestamptz,
  check ((failing_since is null) = (message is null) and (failing_since is null) = (failed_field is null)),
  unique (user_id, server_url, username)
);
create index calendar_connections_due on calendar_connections (next_sync_at);

-- What was written of each show last. Without a version, it is about to be written for the first time.
create table calendar_connection_shows (
  connection_id uuid not null references calendar_connections on delete cascade,
  booking_id    uuid not null,
  version       int,
  text_digest     bytea,
  etag          text,
  primary key (connection_id, booking_id)
);
