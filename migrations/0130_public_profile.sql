-- Whether the artist shows themself: off, the page, the search and the booking form answer as if there were no such artist. It is a
-- copy of the artist's setting publicProfile, written with it, so that the search reads one row.
alter table artists add column is_public boolean not null default true;
update artists set is_public = false
  where exists (select 1 from settings s where s.scope = 'artist' and s.owner_id = artists.id and s.value->'publicProfile' = 'false'::jsonb);
