-- The rank that a hold had when it ended: a booking shows which hold it came from.
alter table hold_nights add column ended_rank int;
