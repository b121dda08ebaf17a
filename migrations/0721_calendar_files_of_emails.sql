-- The calendar file that an email about a show carries. It is stored with the email, as it was when the email was written: a later
-- change has a higher SEQUENCE and an email of its own.
alter table messages
  add column attachment_text text,
  drop constraint messages_attachment_kind_check,
  add constraint messages_attachment_kind_check check (attachment_kind in ('signed_contract', 'document', 'calendar')),
  add constraint messages_attachment_text_is_a_calendar check ((attachment_text is not null) = (attachment_kind is not null and attachment_kind = 'calendar'));
