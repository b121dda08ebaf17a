-- The accused artist's side of a reported no-show, given once and before the decision.
alter table no_show_reports
  add column statement text check (length(statement) between 1 and 2000),
  add column stated_at timestamptz,
  add column stated_by uuid,
  add check ((statement is null) = (stated_at is null) and (statement is null) = (stated_by is null));
