-- A confirmed show that the artist lists on the public profile, or that the promoter took off it for good.
alter table bookings add column listing text check (listing in ('listed', 'taken_off'));
create index bookings_listed on bookings (artist_id, starts_at) where listing = 'listed';
