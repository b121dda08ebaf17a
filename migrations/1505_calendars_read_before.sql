-- Only a complete file stores its tag: a calendar with one has had its end before.
update external_calendars set had_end = true where etag is not null and not had_end;
