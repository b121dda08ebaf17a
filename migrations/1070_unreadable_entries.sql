-- Entries of an external calendar that could not be read, while the others were. A reservation of such an entry stays: it is found by
-- the digest of its UID. Reservations from before this migration have no digest, and stay until every entry can be read.
alter table external_calendars
  add column unread_count int not null default 0,
  add column unread_title text,
  add column unread_day date,
  add column unread_reason text;
alter table date_reservations add column entry_digest text;
