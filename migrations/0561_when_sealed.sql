-- When the signed copy was sealed, so that the loop that seals finds what is due without looking at every signed contract.
alter table contracts add column sealed_at timestamptz;
update contracts set sealed_at = d.created_at from contract_documents d where d.contract_id = contracts.id and d.kind = 'sealed';
create index contracts_to_seal on contracts (id) where signed_status = 'signed' and document_hash is not null and sealed_at is null;
