-- Contracts become documents: made once when the deposit is paid, sent to both parties, signed over one fingerprint.

alter table contracts
  -- Not sent before this moment; null: as soon as the deposit is paid.
  add column send_from      timestamptz,
  -- Sending failed so many times; the next attempt is made at this moment.
  add column attempts       int not null default 0,
  add column next_try_at    timestamptz,
  add column last_error     text,
  -- The template and its version, as "standard 1".
  add column template       text,
  -- The end of the signing window, and when it was extended (once).
  add column expires_at     timestamptz,
  add column extended_at    timestamptz,
  -- How many reminders have been sent.
  add column reminders      int not null default 0,
  add column declined_at    timestamptz,
  add column declined_by    text check (declined_by in ('promoter', 'artist')),
  add column decline_reason text;

create index contracts_waiting on contracts (expires_at) where signed_status = 'sent';

-- The files. In the database and not beside it, so that every backup and every dump carries them.
create table contract_documents (
  id          uuid primary key default gen_random_uuid(),
  contract_id uuid not null references contracts on delete cascade,
  -- agreement: what is signed. sealed: the same with the certificate and the seal. scan: what an admin uploaded.
  kind        text not null check (kind in ('agreement', 'sealed', 'scan')),
  sha256      bytea not null check (octet_length(sha256) = 32),
  bytes       bytea not null,
  pages       int not null,
  created_at  timestamptz not null,
  unique (contract_id, kind)
);
alter table contract_documents alter column bytes set storage external;

-- One row per party that has to sign. method attested: an admin vouches for a signature on paper; recorded: signed before
-- this installation kept evidence.
create table contract_signers (
  contract_id     uuid not null references contracts on delete cascade,
  side            text not null check (side in ('promoter', 'artist')),
  name            text not null,
  signed_name     text,
  method          text check (method in ('typed', 'drawn', 'attested', 'recorded')),
  -- The path of a drawn signature (SVG path data in a box of 600 by 200).
  drawing         text,
  document_sha256 bytea check (octet_length(document_sha256) = 32),
  signed_at       timestamptz,
  primary key (contract_id, side)
);

-- One-use links to the signing page; only their hashes.
create table contract_links (
  hash        bytea primary key check (octet_length(hash) = 32),
  contract_id uuid not null references contracts on delete cascade,
  side        text not null check (side in ('promoter', 'artist')),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index contract_links_contract on contract_links (contract_id);

-- What happened to a contract, in one chain each: hash = SHA-256 (hash before, entry). The entry is canonical JSON (RFC 8785).
create table contract_events (
  contract_id uuid not null references contracts,
  number      int not null check (number > 0),
  entry       text not null,
  hash        bytea not null check (octet_length(hash) = 32),
  primary key (contract_id, number)
);
create trigger contract_events_append_only before update or delete on contract_events
  for each row execute function activity_is_append_only();
create trigger contract_events_kept before truncate on contract_events
  for each statement execute function activity_is_append_only();
