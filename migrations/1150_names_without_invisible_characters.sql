-- Names that look equal are compared as equal: characters that nobody sees do not count.
create or replace function without_accents(words text) returns text language sql immutable parallel safe strict as $$
  select normalize(regexp_replace(normalize(lower(words), nfd),
    '[\u0300-\u036f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g'), nfc)
$$;
-- Takes the four indexes along.
alter table artists drop column name_text;
alter table artists add column name_text text not null generated always as (without_accents(name)) stored;
alter table artists alter column name_text set statistics 1000;
create index artists_name on artists using gin (name_text gin_trgm_ops, genre) with (fastupdate = off) where is_active;
create index artists_inactive_name on artists using gin (name_text gin_trgm_ops) where not is_active;
create index artists_name_ngrams on artists using gin (artist_grams(name_text)) with (fastupdate = off);
alter index artists_name_ngrams alter column 1 set statistics 1000;
create index artists_published_name on artists (name_text) where is_active and is_public;
