-- A calendar that has never had its end always ends like this: an entry that is absent from it for a day was deleted.
-- A calendar that has had its end before is cut off, and retains its entries.
alter table external_calendars add column had_end boolean not null default false;
alter table date_reservations add column absent_since timestamptz;
