-- A refund can remove the only transfers of a payout that are not made. Then the statement of the others is due (decision 320).
create function queue_statement_of_rest() returns trigger language plpgsql as $$
begin
  insert into documents_due (group_id, posted_at)
    select g.id, new.updated_at from transfers t join ledger_groups g on g.cause_key = 'transfer:' || t.id
    where t.payout_id = new.id and t.status = 'succeeded' and t.replaced_reversal_id is null
    on conflict (group_id) do update set posted_at = excluded.posted_at;
  return null;
end $$;
create trigger payouts_reduced after update of amount on payouts
  for each row when (new.amount < old.amount and new.planned_at is not null) execute function queue_statement_of_rest();
