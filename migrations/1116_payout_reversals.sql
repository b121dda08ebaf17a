-- What was deducted from a payment account after the payout has a document too, so that the artist's documents add up to what was paid (decision 320).
alter table documents drop constraint documents_kind_check;
alter table documents add constraint documents_kind_check
  check (kind in ('receipt','commission_invoice','payout_statement','payout_reversal','credit_note','correction'));
alter table documents drop constraint documents_check1;
alter table documents add constraint documents_check1
  check ((kind in ('payout_reversal','credit_note','correction')) = (corrects_id is not null));
alter table documents drop constraint documents_check2;
alter table documents add constraint documents_check2 check ((kind in ('payout_reversal','credit_note')) = (gross < 0));
create or replace function queue_documents() returns trigger language plpgsql as $$
begin
  insert into documents_due (group_id, posted_at)
    select id, posted_at from posted
     where kind in ('charge','release','refund_planned','refund_settled','refund_undone','payout','dispute_lost','dispute_regained',
       'dispute_share_returned','reversal','payout_returned');
  return null;
end $$;
-- Reversals before this version are documented by the job.
insert into documents_due (group_id, posted_at)
  select id, posted_at from ledger_groups where kind in ('reversal','payout_returned')
on conflict (group_id) do nothing;
