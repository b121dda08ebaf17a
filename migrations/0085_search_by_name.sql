-- A search for words is answered from the name alone: which of the eleven genres contain them is known without looking. The old
-- column held both, so that "rock" among jazz artists had to go through every artist of the genre rock.
alter table artists add column name_text text not null generated always as (lower(name)) stored;
-- Names are told apart by rare words: finer figures let the planner choose between the index and the list's order.
alter table artists alter column name_text set statistics 1000;
create index artists_name on artists using gin (name_text gin_trgm_ops, genre) with (fastupdate = off) where is_active;
-- Of all artists, also the inactive: the planner takes no statistics from a partial index (see 0020).
create index artists_name_ngrams on artists using gin (artist_grams(name_text)) with (fastupdate = off);
alter index artists_name_ngrams alter column 1 set statistics 1000;
-- Takes artists_search and artists_grams along.
alter table artists drop column search_text;
-- Every reader of the newest asks for active ones, which artists_active_newest serves.
drop index artists_newest;
-- A range of prices is compared within the indexes of the other orders: only rows that fit it are fetched.
drop index artists_booked, artists_genre_booked, artists_rating, artists_genre_rating, artists_active_newest, artists_genre_newest;
create index artists_booked on artists (booked_count desc, id desc, price_order) where is_active;
create index artists_genre_booked on artists (genre, booked_count desc, id desc, price_order) where is_active;
create index artists_rating on artists (rating_x10 desc, id desc, price_order) where is_active;
create index artists_genre_rating on artists (genre, rating_x10 desc, id desc, price_order) where is_active;
create index artists_active_newest on artists (created_at desc, id desc, price_order) where is_active;
create index artists_genre_newest on artists (genre, created_at desc, id desc, price_order) where is_active;
