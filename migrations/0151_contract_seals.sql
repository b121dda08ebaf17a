-- The certificate that signed contracts are sealed with: made once, its key encrypted with the platform's keys. In the database, so that
-- every backup has it.
create table contract_seals (
  id          uuid primary key default gen_random_uuid(),
  certificate bytea not null,
  private_key text not null,
  created_at  timestamptz not null,
  retired_at  timestamptz
);
create unique index contract_seals_current on contract_seals ((retired_at is null)) where retired_at is null;
