-- A booking has a number that people can read out: SD- and six characters without 0/O and 1/I/L.
-- 31 is prime, so multiplying by a number it does not divide visits each of the 31^6 codes once: unique without asking, and
-- bookings made one after the other look nothing alike. The number is a name, never a secret; it opens nothing.
create function booking_number(n bigint) returns text language sql immutable strict parallel safe as $$
  select 'SD-' || string_agg(substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', (code.value / place.value % 31)::int + 1, 1), '' order by place.value desc)
  from (values (1::bigint), (31), (961), (29791), (923521), (28629151)) as place(value),
       (select ((n % 887503681) * 387420489 + 271828182) % 887503681 as value) as code
$$;
alter table bookings add column sequence_number bigint generated always as identity;
alter table bookings add column number text not null generated always as (booking_number(sequence_number)) stored;
alter table bookings add constraint bookings_number_key unique (number);
