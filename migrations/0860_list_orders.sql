-- The admin's list of artists by name and by rate (src/artists/admin/views.ts), and of nights on hold by night (src/calendar/holds/admin-holds.views.ts).
create index artists_all_name on artists (lower(name), id);
create index artists_all_rate on artists (base_rate, id);
create index hold_nights_by_night on hold_nights (night, id);
