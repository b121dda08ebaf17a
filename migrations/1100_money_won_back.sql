-- What of a regained loss is held for the booking again (decision 301), and what of a refund at the provider was paid from regained money.
alter table disputes add column returned_held int not null default 0;
alter table refunds add column from_regained int not null default 0;
