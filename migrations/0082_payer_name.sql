-- Who pays, as the provider's page and its records name them; the address stands beside it since 0040.
alter table payments add column payer_name text;
