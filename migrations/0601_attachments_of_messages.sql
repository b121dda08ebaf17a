-- A file that an email carries: read from its contract when the email is sent, and not stored again.
alter table messages
  add column attachment_name text,
  add column attached_contract_id uuid,
  add constraint messages_attachment_is_whole check ((attachment_name is null) = (attached_contract_id is null));
