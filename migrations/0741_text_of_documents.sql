-- What a drawn agreement says: its clauses and the page on which each begins. Written together with the file, by the same drawing.
alter table contract_documents add column text jsonb;
