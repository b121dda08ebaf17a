-- Since when a balance that cannot be paid on this site waits for a person (decision 210): its booking is no longer ended by the clock.
alter table bookings add column balance_unpayable_at timestamptz;
