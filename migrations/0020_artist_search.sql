-- Searches of one or two letters have no trigram: they are looked up by their exact letters and pairs of letters.
-- The cost is what a call takes (about 25 µs), so that a plan does not call it for every row of the table.
create function artist_grams(words text) returns text[] language sql immutable parallel safe strict cost 400 as $$
  select array_agg(substr(words, at, 1)) || array_agg(substr(words, at, 2)) from generate_series(1, length(words)) at
$$;
-- Of all artists, also the inactive: the planner takes no statistics from a partial index, and without them it guesses badly.
create index artists_grams on artists using gin (artist_grams(search_text)) with (fastupdate = off);
alter index artists_grams alter column 1 set statistics 1000;

-- "On request" (rate 0) has no price and comes last when the cheapest come first.
alter table artists add column price_order int not null
  generated always as (case when base_rate = 0 then 2147483647 else base_rate end) stored;
drop index artists_price;
create index artists_price on artists (price_order, id) where is_active;
create index artists_genre_price on artists (genre, price_order, id) where is_active;
create index artists_genre_rating on artists (genre, rating_x10 desc, id desc) where is_active;
create index artists_active_newest on artists (created_at desc, id desc) where is_active;
create index artists_genre_newest on artists (genre, created_at desc, id desc) where is_active;
