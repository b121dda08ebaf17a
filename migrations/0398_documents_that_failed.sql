-- A posting whose document could not be composed or stored: it holds up no other, is shown to admins, and is tried again each hour.
alter table documents_due add column failed_at timestamptz;
alter table documents_due add column failed_reason text;
alter table documents_due add check ((failed_at is null) = (failed_reason is null));
