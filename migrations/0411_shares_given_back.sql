-- What a bank has given back of a lost dispute after an appeal, and what of it was given back to the artist and the platform (decision 301).
alter table disputes add column regained int not null default 0;
alter table disputes add column returned_at timestamptz;
alter table disputes add column returned_artist int not null default 0;
alter table disputes add column returned_platform int not null default 0;
update disputes d set regained = greatest(0, coalesce((
  select -sum(e.amount) from ledger_groups g join ledger_entries e on e.group_id = g.id
   where g.payment_id = d.payment_id and g.kind = 'dispute_regained' and e.account = 'dispute_loss'), 0))
 where d.settled_at is not null
   -- The ledger names the payment only: of two disputes of one, nobody knows whose money came back.
   and (select count(*) from disputes o where o.payment_id = d.payment_id and o.settled_at is not null) = 1;
-- A transfer that gives an artist's share back: the dispute whose loss had taken it.
alter table transfers add column returned_dispute_id uuid references disputes;
alter table transfers drop constraint transfers_payout_id_payment_id_key;
alter table transfers add constraint transfers_once unique nulls not distinct (payout_id, payment_id, returned_dispute_id);
-- Commission that the platform has again is invoiced again.
create or replace function queue_documents() returns trigger language plpgsql as $$
begin
  insert into documents_due (group_id, posted_at)
    select id, posted_at from posted
     where kind in ('charge','release','refund_planned','refund_settled','refund_undone','payout','dispute_lost','dispute_regained',
       'dispute_share_returned');
  return null;
end $$;
