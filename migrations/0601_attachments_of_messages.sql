-- A PDF that an email carries: the signed copy of a contract, or a document such as a receipt. It is read when the email is sent, and not stored again.
alter table messages
  add column attachment_name text,
  add column attachment_kind text check (attachment_kind in ('signed_contract', 'document')),
  add column attachment_id uuid,
  add constraint messages_attachment_is_whole check (num_nulls(attachment_name, attachment_kind, attachment_id) in (0, 3));
