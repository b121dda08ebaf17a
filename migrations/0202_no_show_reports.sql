-- The promoter says that the artist did not appear. Until an admin has decided, the booking does not complete and nothing is released.
create table no_show_reports (
  booking_id     uuid primary key references bookings on delete cascade,
  reported_at    timestamptz not null,
  note           text not null,
  decided_at     timestamptz,
  decided_by     uuid,
  released_cents int check (released_cents >= 0),
  refunded_cents int check (refunded_cents >= 0),
  decision       text,
  check ((decided_at is null) = (released_cents is null) and (decided_at is null) = (decision is null))
);
create index no_show_reports_open on no_show_reports (reported_at) where decided_at is null;
