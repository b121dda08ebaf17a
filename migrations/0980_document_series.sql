-- The series of an artist's documents no longer looks like the number of a booking: A-12 instead of 7KCRVB. A series that exists keeps its prefix.
alter table document_sellers add column has_coded_prefix boolean not null default false;
update document_sellers set has_coded_prefix = true where artist_id is not null;
alter table document_sellers drop column prefix;
alter table document_sellers add column prefix text not null generated always as (
  case when artist_id is null then 'PF' when has_coded_prefix then substr(booking_number(ordinal), 4) else 'A-' || ordinal::text end) stored;
alter table document_sellers add constraint document_sellers_prefix_key unique (prefix);
