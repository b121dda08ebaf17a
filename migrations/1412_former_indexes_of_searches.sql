-- In a file of its own, because it waits for readers, and 1411 lets them write only after its end.
drop index bookings_search, profiles_search, activity_search;
alter index bookings_search_next rename to bookings_search;
alter index profiles_search_next rename to profiles_search;
alter index activity_search_next rename to activity_search;
