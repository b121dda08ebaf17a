-- When the promoter of a held night was last notified that the artist is busy at that time. At most one email per hour.
alter table hold_nights add column busy_notified_at timestamptz;
