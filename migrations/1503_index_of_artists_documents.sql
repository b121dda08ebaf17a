-- The export of an artist's documents, newest first, and their first year.
create index documents_of_artist on documents (artist_owner_id, occurred_at desc, id desc);
