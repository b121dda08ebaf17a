-- The paper behind an attested contract, and what its parties object to it.

-- A scan is a PDF, a JPEG or a PNG; what this installation makes is a PDF.
alter table contract_documents
  add column media_type text not null default 'application/pdf'
    check (media_type in ('application/pdf', 'image/jpeg', 'image/png'));

-- A party says that the contract was not signed as an admin attests; once for each party. The evidence has it as well.
create table contract_objections (
  contract_id uuid not null references contracts on delete cascade,
  side        text not null check (side in ('promoter', 'artist')),
  reason      text not null,
  made_at     timestamptz not null,
  primary key (contract_id, side)
);
