-- The organizer of a booking's entry in emailed calendar files stays the first one, whose updates calendars accept.
alter table bookings add column calendar_organizer text;
update bookings b set calendar_organizer = first.organizer
from (
  select distinct on (attachment_id) attachment_id,
    (regexp_match(replace(attachment_text, E'\r\n ', ''), E'\nORGANIZER[^\r\n]*:mailto:([^\r\n%]+@[^\r\n%]+)\r\n'))[1] as organizer
  from messages where attachment_kind = 'calendar' and attachment_text is not null order by attachment_id, created_at
) first
where first.attachment_id = b.id;
