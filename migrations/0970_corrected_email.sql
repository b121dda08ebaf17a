-- How often the email address of a guest's request was corrected. Signed links name it, so the links to a former address end.
alter table bookings add column email_corrections smallint not null default 0;
