-- Columns that people read as a date follow the demo's clock (0240), also in the tables that came with it.
alter table payouts alter column created_at set default installation_now(), alter column updated_at set default installation_now();
alter table transfers alter column created_at set default installation_now(), alter column updated_at set default installation_now(),
  alter column next_try_at set default installation_now();
alter table transfer_reversals alter column created_at set default installation_now(), alter column updated_at set default installation_now(),
  alter column next_try_at set default installation_now();
alter table email_templates alter column updated_at set default installation_now();
