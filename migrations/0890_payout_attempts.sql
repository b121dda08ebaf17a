-- A payout whose planning failed is planned again later, after the others that are due.
alter table payouts
  add column attempts    int not null default 0,
  add column next_try_at timestamptz;
