-- The end of the hold that its promoter was reminded of. Another end is reminded of again.
alter table hold_nights add column reminded_for timestamptz;
