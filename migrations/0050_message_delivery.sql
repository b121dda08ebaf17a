-- Where an answer to a mail goes, and which way the message left.
alter table messages add column reply_to text;
alter table messages add column adapter text;
alter table messages add column provider_ref text;
