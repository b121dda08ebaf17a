-- The verified addresses that an account had before, in lower case. Exports and deletions find what was sent to them.
alter table users add column former_emails text[] not null default '{}';
update users u set former_emails = c.emails
from (select user_id, array_agg(distinct lower(before->>'email')) as emails from account_changes
  where kind = 'email' and undone_at is null and before->>'email' is not null and before->>'confirmedAt' is not null group by user_id) c
where c.user_id = u.id and u.deleted_at is null;
-- Bookings of an account follow its address, also after the changes of the last week.
update bookings b set promoter_email = u.email from users u
where b.promoter_user_id = u.id and u.email_confirmed_at is not null and lower(b.promoter_email) = any (u.former_emails);
