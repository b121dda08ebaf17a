-- The name, as name_text, that an admin allowed several published artists to have.
alter table artists add column allowed_name text;
create index artists_published_name on artists (name_text) where is_active and is_public;
