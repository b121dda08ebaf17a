-- The move that holds the demo clock. One that lost its lease in a stall ends instead of moving the clock beside the next.
alter table installation_clock add column moved_by uuid;
