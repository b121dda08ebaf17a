-- The table of reservations takes whatever takes an artist's date: shows, holds, blocked times and entries of other calendars.
-- `during` includes travel and set-up, `span` is the entry itself. Rows of an older version have no span: `during` counts for them.
alter table date_reservations
  alter column booking_id drop not null,
  add column entry bigint generated always as identity,
  add column span tstzrange,
  add column note text;

update date_reservations r set span = tstzrange(b.starts_at, b.ends_at, '[)') from bookings b where b.id = r.booking_id;

alter table date_reservations
  drop constraint date_reservations_kind_check,
  add constraint date_reservations_kind_check check (kind in ('hold', 'booked', 'blocked', 'external')),
  add constraint date_reservations_booking_check check (
    case kind when 'booked' then booking_id is not null when 'hold' then true else booking_id is null end);

-- Shows and holds overlap neither each other nor a blocked time. Each blocked time has a lane of its own, so blocked times may
-- overlap. Entries of other calendars overlap nothing: a conflict with a show is shown, not refused.
alter table date_reservations
  drop constraint one_reservation_per_date,
  add constraint one_reservation_per_date exclude using gist (
    artist_id with =,
    during with &&,
    (case kind when 'external' then 'empty'::int8range when 'blocked' then int8range(entry, entry, '[]') else int8range(null, null) end) with &&
  );
