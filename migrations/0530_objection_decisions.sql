-- An objection to an attested signature stays open until an admin decides about it, or its booking ends.
alter table contract_objections
  add column decided_at timestamptz,
  add column decided_by uuid references users on delete set null,
  add column decision   text check (decision in ('upheld', 'annulled', 'booking_ended')),
  add column decision_reason text,
  add constraint contract_objections_decided check ((decided_at is null) = (decision is null));
create index contract_objections_open on contract_objections (contract_id) where decided_at is null;

-- Objections of bookings that had ended before decisions were recorded need none.
update contract_objections o set decided_at = b.updated_at, decision = 'booking_ended'
from contracts c join bookings b on b.id = c.booking_id
where c.id = o.contract_id and b.status = 'canceled';

-- The files of an annulled attestation stay as evidence, each under a kind with its number.
alter table contract_documents drop constraint contract_documents_kind_check;
alter table contract_documents add constraint contract_documents_kind_check
  check (kind in ('agreement', 'sealed', 'scan', 'provider') or kind ~ '^annulled_(sealed|scan)_[0-9]+$');
