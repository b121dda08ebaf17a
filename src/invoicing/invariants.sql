-- Returns every violation of the rules of documents (decision 320). A valid database has none.
-- D1: the numbers of each seller have no gaps, and the counter equals the last one.
select 'D1 numbers have a gap' as rule, s.prefix as ref
  from document_sellers s left join documents d on d.seller_id = s.id
 group by s.id, s.prefix, s.last_number having count(d.id) <> s.last_number or coalesce(max(d.sequence_number), 0) <> s.last_number
union all
-- D2: documents are insert-only, and postings are queued, because the triggers that enforce it exist and are enabled.
select 'D2 documents can be changed', t.name
  from (values ('documents_fixed'), ('documents_kept'), ('document_files_fixed'), ('document_files_kept'), ('ledger_groups_documented')) as t(name)
 where not exists (select 1 from pg_trigger p where p.tgname = t.name and p.tgenabled in ('O', 'A'))
union all
-- D3: every captured, refunded and released amount has its document, or waits for it.
select 'D3 posting without a document', g.cause_key from ledger_groups g
 where (g.kind in ('charge', 'refund_settled', 'refund_undone', 'reversal', 'payout_returned')
     or (g.kind in ('release', 'refund_planned', 'dispute_lost', 'dispute_regained', 'dispute_share_returned') and exists (
       select 1 from ledger_entries e where e.group_id = g.id and e.account = 'platform_revenue')))
   and not exists (select 1 from documents d where d.cause_key = g.cause_key)
   and not exists (select 1 from documents_due q where q.group_id = g.id)
union all
select 'D3 payout without a statement', p.id::text from payouts p
 where p.paid_at is not null and p.amount > 0
   and not exists (select 1 from documents d where d.cause_key = 'payout:' || p.id)
   and p.id not in (
     select t.payout_id from documents_due q join ledger_groups g on g.id = q.group_id join transfers t on g.cause_key = 'transfer:' || t.id)
union all
-- D4: a document has the amount of its posting, together with the credit notes of further invoices.
select 'D4 document differs from its posting', d.number from documents d join ledger_groups g on g.cause_key = d.cause_key
 where d.gross + coalesce((select sum(n.gross) from documents n where n.booking_id = d.booking_id and starts_with(n.cause_key, d.cause_key || ':invoice:')), 0) <> (select coalesce(sum(case when g.kind in ('release', 'refund_planned', 'dispute_lost', 'dispute_regained', 'dispute_share_returned')
     then case when e.account = 'platform_revenue' then -e.amount else 0 end
     when g.kind in ('refund_settled', 'refund_undone') then case when e.account = 'refund_in_flight' then -e.amount else 0 end
     when g.kind in ('reversal', 'payout_returned') then case when e.account = 'psp_clearing' then -e.amount else 0 end
     else case when e.account = 'psp_clearing' then e.amount else 0 end end), 0)
   from ledger_entries e where e.group_id = g.id and e.currency = d.currency)
union all
select 'D4 statement differs from its payout', d.number from documents d join payouts p on d.cause_key = 'payout:' || p.id
 where d.gross <> (select coalesce(sum(t.amount), 0) from transfers t where t.payout_id = p.id and t.returned_dispute_id is null and t.replaced_reversal_id is null) or d.currency <> p.currency
union all
-- D4: statements and reversals of a paid payout add up to what the artist was paid.
select 'D4 payout documents differ from what was paid', p.id::text from payouts p
 where p.paid_at is not null
   and not exists (select 1 from documents_due q join ledger_groups g on g.id = q.group_id where g.booking_id = p.booking_id)
   and (select coalesce(sum(d.gross), 0) from documents d
         where d.booking_id = p.booking_id and d.kind in ('payout_statement', 'payout_reversal') and d.currency = p.currency)
    <> (select coalesce(-sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
         where g.booking_id = p.booking_id and g.kind in ('payout', 'reversal', 'payout_returned')
           and e.account = 'psp_clearing' and e.currency = p.currency)
union all
-- D5: no more amount or tax is credited than was documented, and the full amount credits the full tax.
select 'D5 more credited than documented', d.number
  from documents d
  join (select n.corrects_id as id, n.gross, n.tax from documents n where n.kind in ('credit_note', 'payout_reversal')
        union all select n.corrects_id, c.gross, c.tax from documents c join documents n on n.id = c.corrects_id) notes on notes.id = d.id
 group by d.id, d.number, d.gross, d.tax
having d.gross + sum(notes.gross) < 0 or d.tax + sum(notes.tax) < 0 or (d.gross + sum(notes.gross) = 0 and d.tax + sum(notes.tax) <> 0)
