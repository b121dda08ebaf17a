-- The address that an artist enters with a hold by hand. The link to pay the deposit goes there if no account has it.
alter table holds add column entered_email text;
