-- Every list is searched as the names of artists are (1060): without accents. Dropping an index blocks reads until the end, so it is last.
create index bookings_search_next on bookings using gin (without_accents(promoter_name || chr(10) || venue_name || chr(10) || number) gin_trgm_ops);
create index profiles_search_next on profiles using gin (without_accents(name || ' ' || email) gin_trgm_ops);
create index activity_search_next on activity using gin (without_accents(message || chr(10) || coalesce(ref_id, '')) gin_trgm_ops);
analyze bookings, profiles, activity;
drop index bookings_search, profiles_search, activity_search;
alter index bookings_search_next rename to bookings_search;
alter index profiles_search_next rename to profiles_search;
alter index activity_search_next rename to activity_search;
