-- The backups that this installation made by itself: each daily one, and whether it could be restored.
create table backups (
  id bigint generated always as identity primary key,
  file text not null,
  bytes bigint not null,
  made_at timestamptz not null,
  verified_at timestamptz,
  failure text,
  check ((verified_at is null) <> (failure is null))
);
create index backups_verified on backups (verified_at desc) where verified_at is not null;
