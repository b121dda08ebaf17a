-- Text for searches: lower case, without accents. It is applied to the names and to the searched words.
create function without_accents(words text) returns text language sql immutable parallel safe strict as $$
  select normalize(regexp_replace(normalize(lower(words), nfd), '[\u0300-\u036f]', '', 'g'), nfc)
$$;
-- Takes artists_name, artists_name_ngrams and artists_inactive_name along.
alter table artists drop column name_text;
alter table artists add column name_text text not null generated always as (without_accents(name)) stored;
alter table artists alter column name_text set statistics 1000;
create index artists_name on artists using gin (name_text gin_trgm_ops, genre) with (fastupdate = off) where is_active;
create index artists_inactive_name on artists using gin (name_text gin_trgm_ops) where not is_active;
create index artists_name_ngrams on artists using gin (artist_grams(name_text)) with (fastupdate = off);
alter index artists_name_ngrams alter column 1 set statistics 1000;
