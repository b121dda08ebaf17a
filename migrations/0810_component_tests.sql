-- What cannot be read elsewhere of the components that this installation stands on: the last test of each, and since when it is in use.
create table component_tests (
  name text primary key,
  product text not null,
  in_use_since timestamptz not null,
  tested_at timestamptz not null,
  took_ms int not null,
  works boolean not null,
  message text not null,
  details text,
  succeeded_at timestamptz,
  failed_at timestamptz
);
-- What the trial restore of a backup has compared.
alter table backups add column compared_tables int, add column compared_rows bigint;
