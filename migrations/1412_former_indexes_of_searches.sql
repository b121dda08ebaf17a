-- In a file of its own, because it waits for readers, and 1411 lets them write only after its end. A database that ran the first text of 1411
-- has the new indexes under the former names already.
do $$ begin
  if to_regclass('bookings_search_next') is null then return; end if;
  drop index bookings_search, profiles_search, activity_search;
  alter index bookings_search_next rename to bookings_search;
  alter index profiles_search_next rename to profiles_search;
  alter index activity_search_next rename to activity_search;
end $$;
