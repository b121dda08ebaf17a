-- Uploaded files that the database names and the store lacks, as last checked. Backups and checks do not report an accepted one again.
create table missing_files (
  name text primary key,
  found_at timestamptz not null,
  accepted_at timestamptz
);
