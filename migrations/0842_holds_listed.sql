-- The admin's list of holds (src/calendar/holds/admin-holds.views.ts): the open nights first, the nearest deadline first, then those that ended.
create index hold_nights_listed on hold_nights (
  (state = 'active') desc, (case when state = 'active' then coalesce(challenge_ends_at, expires_at) end), ended_at desc, id
);
