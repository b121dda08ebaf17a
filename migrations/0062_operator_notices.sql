-- What processes notice about their surroundings and the operator should change: one row for each kind.
create table operator_notices (
  kind     text primary key,
  first_at timestamptz not null,
  last_at  timestamptz not null
);
