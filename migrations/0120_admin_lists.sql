-- What the admin's lists are searched, narrowed and ordered by. A search looks for a part of the text, in any case.
create index bookings_search on bookings using gin (lower(promoter_name || chr(10) || venue_name || chr(10) || number) gin_trgm_ops);
create index bookings_status on bookings (status, created_at desc, id desc);
create index bookings_event on bookings (event_date, id);
create index bookings_fee on bookings (fee_cents, id);
create index payments_status on payments (status, created_at desc, id desc);
create index activity_search on activity using gin (lower(message || chr(10) || coalesce(ref_id, '')) gin_trgm_ops);
create index activity_type on activity (type, created_at desc, id desc);
-- Active names have an index already (artists_name); with this one, a search through all artists is answered from the two.
create index artists_inactive_name on artists using gin (name_text gin_trgm_ops) where not is_active;
create index artists_all_newest on artists (created_at desc, id desc);
