-- Contracts may be signed at an outside service (DocuSeal, DocuSign). `contracts.provider` names it.

alter table contracts
  -- When the service was first asked to take this contract: from then on it is looked up there before it is sent again.
  add column provider_asked_at    timestamptz,
  -- What the service calls it: a submission, an envelope.
  add column provider_ref         text,
  -- When its state was last fetched.
  add column provider_looked_at   timestamptz,
  -- It has ended here and is to be withdrawn there; and when that was done.
  add column provider_cancel_from timestamptz,
  add column provider_canceled_at timestamptz,
  -- A state of the service that a person has to look at; nothing is signed by it.
  add column provider_alarm       text;

create unique index contracts_provider_ref on contracts (provider, provider_ref) where provider_ref is not null;
create index contracts_provider_cancel on contracts (provider_cancel_from)
  where provider_cancel_from is not null and provider_canceled_at is null;

-- provider: signed at the service.
alter table contract_signers drop constraint contract_signers_method_check;
alter table contract_signers add constraint contract_signers_method_check
  check (method in ('typed', 'drawn', 'attested', 'recorded', 'provider'));

-- provider: the signed file as the service made it.
alter table contract_documents drop constraint contract_documents_kind_check;
alter table contract_documents add constraint contract_documents_kind_check
  check (kind in ('agreement', 'sealed', 'scan', 'provider'));

-- What the service has notified of: stored once by its id, then the truth is fetched.
create table esign_events (
  id           text primary key,
  provider     text not null,
  type         text not null,
  ref          text,
  external_id  text,
  received_at  timestamptz not null,
  processed_at timestamptz,
  attempts     int not null default 0,
  next_try_at  timestamptz not null,
  dead_at      timestamptz,
  last_error   text
);
create index esign_events_due on esign_events (next_try_at) where processed_at is null and dead_at is null;
create index esign_events_newest on esign_events (received_at desc, id desc);
