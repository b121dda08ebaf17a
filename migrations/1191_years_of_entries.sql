-- Entries of other calendars are within the years of nights. The calendar could not show an entry that ends in the year 9999.
update date_reservations
set during = during * '[2000-01-01 00:00Z, 2100-01-01 00:00Z)', span = span * '[2000-01-01 00:00Z, 2100-01-01 00:00Z)'
where kind = 'external' and not during <@ '[2000-01-01 00:00Z, 2100-01-01 00:00Z)'::tstzrange;
