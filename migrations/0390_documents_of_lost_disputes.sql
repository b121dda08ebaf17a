-- Commission that a lost dispute takes back has a credit note, as commission that a refund takes back has (decision 301).
create or replace function queue_documents() returns trigger language plpgsql as $$
begin
  insert into documents_due (group_id, posted_at)
    select id, posted_at from posted
     where kind in ('charge','release','refund_planned','refund_settled','refund_undone','payout','dispute_lost','dispute_regained');
  return null;
end $$;
-- Disputes that were lost before this version are documented by the job.
insert into documents_due (group_id, posted_at)
  select g.id, g.posted_at from ledger_groups g
   where g.kind in ('dispute_lost','dispute_regained') and not exists (select 1 from documents d where d.cause_key = g.cause_key)
on conflict (group_id) do nothing;
