-- Every list is searched as the names of artists are (1060): without accents. 1412 drops the former indexes.
create index bookings_search_next on bookings using gin (without_accents(promoter_name || chr(10) || venue_name || chr(10) || number) gin_trgm_ops);
create index profiles_search_next on profiles using gin (without_accents(name || ' ' || email) gin_trgm_ops);
create index activity_search_next on activity using gin (without_accents(message || chr(10) || coalesce(ref_id, '')) gin_trgm_ops);
analyze bookings, profiles, activity;
