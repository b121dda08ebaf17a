-- One-time codes that a signer types before signing. One for each party of a contract; a newer one replaces the older. Only a keyed hash of
-- the code is stored, over the contract, the party, the document and the code.
create table contract_signing_codes (
  contract_id uuid not null references contracts on delete cascade,
  side        text not null check (side in ('promoter', 'artist')),
  code_hash   bytea not null,
  -- How the code was sent, and where to, as far as it may be shown: ha…@example.test, …99.
  channel     text not null check (channel in ('email', 'sms')),
  sent_to     text not null,
  -- How often a code was typed, right or wrong.
  tries       int not null default 0,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (contract_id, side)
);
