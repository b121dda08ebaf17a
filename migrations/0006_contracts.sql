-- The paper: drafted with the snapshot of terms, later sent, signed or declined.
create table contracts (
  id            uuid primary key default gen_random_uuid(),
  booking_id    uuid not null unique,
  signed_status text not null default 'draft' check (signed_status in ('draft','sent','signed','declined')),
  provider      text not null,
  doc_url       text,
  terms         jsonb not null,
  terms_hash    text not null,
  document_hash text,
  sent_at       timestamptz,
  signed_at     timestamptz,
  created_at    timestamptz not null default now()
);
create index contracts_newest on contracts (created_at desc, id desc);
create index contracts_status on contracts (signed_status, created_at desc);
