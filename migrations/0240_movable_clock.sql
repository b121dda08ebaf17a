-- How far demo mode has moved this installation's clock ahead of the real one (docs/decisions/0240). Without a row: not at all.
create table installation_clock (
  only_row     boolean primary key default true check (only_row),
  ahead_ms     bigint not null default 0 check (ahead_ms >= 0),
  -- A process that moves the clock holds it until this moment of the real clock, and renews that at each step.
  moving_until timestamptz
);

-- The product's present. It equals now() unless the demo's clock was moved; columns that people read as a date take it.
create function installation_now() returns timestamptz language sql stable as $$
  select now() + coalesce((select ahead_ms from installation_clock), 0) * interval '1 millisecond'
$$;

alter table artists alter column created_at set default installation_now(), alter column updated_at set default installation_now();
alter table artist_media alter column created_at set default installation_now();
alter table bookings alter column created_at set default installation_now(), alter column updated_at set default installation_now();
alter table pay_links alter column created_at set default installation_now();
alter table payments alter column created_at set default installation_now(), alter column updated_at set default installation_now();
alter table refunds alter column created_at set default installation_now(), alter column updated_at set default installation_now();
alter table ledger_groups alter column posted_at set default installation_now();
alter table contracts alter column created_at set default installation_now();
alter table reviews alter column created_at set default installation_now();
alter table settings alter column updated_at set default installation_now();
alter table activity alter column created_at set default installation_now();
alter table messages alter column created_at set default installation_now();
alter table contact_messages alter column created_at set default installation_now();
