-- What the provider's account received of a charge, a transfer and a reversal, in the currency of that account. Null while it is not known.
alter table provider_charges
  add column settled_amount bigint check (settled_amount > 0),
  add column settled_currency text;
alter table transfers
  add column settled_amount bigint check (settled_amount >= 0),
  add column settled_currency text;
alter table transfer_reversals
  add column settled_amount bigint check (settled_amount >= 0),
  add column settled_currency text;

-- The provider's fee is posted in the currency that the account received.
update provider_charges c set settled_amount = c.amount, settled_currency = c.currency
 where exists (select 1 from ledger_groups g join ledger_entries e on e.group_id = g.id
                where g.cause_key = 'fee:' || c.provider_payment and e.currency = c.currency);
-- Only a transfer in the currency of its charge could be made.
update transfers set settled_amount = amount, settled_currency = currency where status = 'succeeded';
update transfer_reversals set settled_amount = amount, settled_currency = currency where status = 'succeeded';
