-- While holds are challenged, each may be booked from a moment of its own: the higher its rank, the earlier.
alter table hold_nights add column pays_from timestamptz;
