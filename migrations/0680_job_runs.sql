-- When each hourly or daily job last ended, in any process, and until when one is running it. The schema of the former job queue
-- (pgboss) is no longer used; a later migration removes it: during an upgrade, processes of the version before still use it.
create table job_runs (
  name text primary key,
  ran_at timestamptz not null,
  lease_until timestamptz
);
