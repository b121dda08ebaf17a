-- For whom of an artist profile's owners a document was issued: a later owner does not read it (decision 320). Null: the profile had no
-- owner, or the owner of that time is no longer known.
alter table documents add column artist_owner_id uuid;
alter table documents disable trigger documents_fixed;
update documents d set artist_owner_id = a.user_id from artists a
 where a.id = coalesce(d.seller_artist_id, d.buyer_artist_id)
   and not exists (
     select 1 from profile_claims c where c.artist_id = a.id and c.granted and c.decided_at >= d.issued_at);
alter table documents enable trigger documents_fixed;
