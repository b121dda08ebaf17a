-- A booking's page tells of its former holds: whose hold it was, from when, and who ended it. Holds from before stay without.
alter table past_holds add column booking_id uuid references bookings (id) on delete cascade;
alter table past_holds add column opened_at timestamptz;
alter table past_holds add column ended_by text check (ended_by in ('checkout', 'artist', 'promoter', 'clock'));
create index past_holds_booking on past_holds (booking_id, ended_at);

-- And, to admins, of the emails that were sent about it.
create index messages_ref on messages (ref_id, created_at);
