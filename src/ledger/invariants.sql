-- Returns every violation of the rules of money. A valid database has none.
-- L1: each group of postings sums to zero in each currency.
select 'L1 group does not balance' as rule, e.group_id::text as ref
  from ledger_entries e group by e.group_id, e.currency having sum(e.amount) <> 0
union all
-- L2: rows are insert-only, because the triggers that enforce it exist and are enabled.
select 'L2 the ledger can be changed', t.name
  from (values ('ledger_groups_fixed'), ('ledger_entries_fixed'), ('ledger_groups_kept'), ('ledger_entries_kept')) as t(name)
 where not exists (select 1 from pg_trigger p where p.tgname = t.name and p.tgenabled in ('O', 'A'))
union all
-- L3: each group has a unique cause and at least two entries.
select 'L3 cause posted twice', g.cause_key from ledger_groups g group by g.cause_key having count(*) > 1
union all
select 'L3 group without entries', g.cause_key from ledger_groups g
 where (select count(*) from ledger_entries e where e.group_id = g.id) < 2
union all
-- L4: at most one live charge per booking and kind, one applied charge per payment, and each is posted.
select 'L4 two live charges', p.booking_id::text from payments p
 where p.checkout_state in ('reserved', 'open', 'paid') group by p.booking_id, p.kind having count(*) > 1
union all
select 'L4 paid without a kept charge', p.id::text from payments p
 where p.provider_payment is not null and not exists (
   select 1 from provider_charges c where c.payment_id = p.id and c.recorded_as = 'payment'
      and c.provider_payment = p.provider_payment and c.amount = p.amount and c.currency = p.currency)
union all
select 'L4 status and charge differ', p.id::text from payments p
 where (p.status in ('succeeded', 'refunded')) <> (p.provider_payment is not null)
    or (p.checkout_state = 'paid' and p.status <> 'succeeded')
union all
select 'L4 charge that is not posted', c.provider_payment from provider_charges c
 where not exists (
   select 1 from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.cause_key = 'charge:' || c.provider_payment and e.account = 'psp_clearing' and e.amount = c.amount and e.currency = c.currency)
union all
-- L5: no more is refunded than was taken, and the payment has the refunded sum.
select 'L5 more refunded than taken', c.provider_payment from provider_charges c
 where c.amount < (select coalesce(sum(r.amount), 0) from refunds r where r.provider_payment = c.provider_payment)
union all
select 'L5 refunded sum differs', p.id::text from payments p
 where p.amount_refunded <> (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status = 'succeeded')
    or (p.status = 'refunded') <> (p.amount_refunded = p.amount)
union all
select 'L5 refund that is not posted', r.id::text from refunds r
 where not exists (select 1 from ledger_groups g where g.cause_key = 'refund:' || r.id || ':planned')
    or (r.status = 'succeeded' and r.amount > 0 and not exists (select 1 from ledger_groups g where g.cause_key in ('refund:' || r.id || ':settled', 'refund:' || r.id || ':outside', 'refund:' || r.id || ':covered')))
union all
select 'L5 unapplied payment is not refunded', c.provider_payment from provider_charges c
 where c.recorded_as = 'suspense' and c.amount <> (select coalesce(sum(r.amount), 0) from refunds r where r.provider_payment = c.provider_payment)
union all
-- L6: held money, what artists are owed, suspense and refunds in flight are never negative.
select 'L6 negative balance', e.account || ' ' || e.currency from ledger_entries e
 where e.account like 'held:%' or e.account like 'artist_payable:%' or e.account in ('suspense', 'refund_in_flight')
 group by e.account, e.currency having sum(e.amount) > 0
union all
-- L6: refunds in flight are exactly those that have not succeeded.
select 'L6 refunds in flight differ', s.currency
  from (select r.currency, sum(r.amount) as amount from refunds r where r.status <> 'succeeded' group by r.currency
        union all
        select e.currency, sum(e.amount) from ledger_entries e where e.account = 'refund_in_flight' group by e.currency) s
 group by s.currency having sum(s.amount) <> 0
union all
-- L7: a payment matches the amounts and the currency of its booking.
select 'L7 payment differs from the snapshot', p.id::text from payments p join bookings b on b.id = p.booking_id
 where p.currency <> b.currency or p.amount <> case p.kind when 'deposit' then b.deposit_cents else b.balance_cents end
union all
-- L9: a charge and its refunds have one currency.
select 'L9 currencies mixed', r.id::text from refunds r join provider_charges c on c.provider_payment = r.provider_payment
 where r.currency <> c.currency
union all
-- L5: a payout is the artist's share of the release less its refunds and lost disputes, and what is sent again. It equals its transfers.
select 'L5 payout differs from the release', p.id::text from payouts p
 where p.amount <> (
   select coalesce(-sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.booking_id = p.booking_id and g.kind in ('release', 'refund_planned', 'dispute_lost', 'dispute_share_returned', 'payout_returned', 'payout_offset')
      and e.account = 'artist_payable:' || p.artist_id and e.currency = p.currency)
union all
select 'L5 release without a payout', g.cause_key from ledger_groups g join ledger_entries e on e.group_id = g.id
 where g.kind = 'release' and e.account like 'artist_payable:%'
   and not exists (select 1 from payouts p where p.booking_id = g.booking_id and e.account = 'artist_payable:' || p.artist_id)
union all
select 'L5 transfers differ from their payout', p.id::text from payouts p
 where p.amount * (p.planned_at is not null)::int <> (select coalesce(sum(t.amount), 0) from transfers t where t.payout_id = p.id)
union all
select 'L5 more transferred than the charge has', c.provider_payment from provider_charges c
 where c.amount < (
   select coalesce(sum(t.amount - t.amount_reversed), 0) from transfers t where t.provider_payment = c.provider_payment and t.paid_outside_at is null)
union all
select 'L5 transfer and posting differ', t.id::text from transfers t
 where (t.status = 'succeeded') <> exists (select 1 from ledger_groups g where g.cause_key = 'transfer:' || t.id)
union all
select 'L5 reversal and posting differ', r.id::text from transfer_reversals r
 where (r.status = 'succeeded' and r.amount > 0) <> exists (select 1 from ledger_groups g where g.cause_key = 'reversal:' || r.id)
union all
select 'L5 reversed sum differs', t.id::text from transfers t
 where t.amount_reversed <> (select coalesce(sum(r.amount), 0) from transfer_reversals r where r.transfer_id = t.id and r.status = 'succeeded')
    or t.amount < (select coalesce(sum(r.amount), 0) from transfer_reversals r where r.transfer_id = t.id)
union all
-- L6: what an artist owes is never negative.
select 'L6 negative receivable', e.account || ' ' || e.currency from ledger_entries e
 where e.account like 'artist_receivable:%' group by e.account, e.currency having sum(e.amount) < 0
union all
-- L6: nothing that a refund or a lost dispute took waits to be sent again.
select 'L6 taken and to be sent again', p.id::text from payouts p
 where exists (select 1 from transfers t where t.payout_id = p.id and t.replaced_reversal_id is not null and t.status = 'failed' and t.attempts = 0)
   and (select coalesce(sum(e.amount), 0) from ledger_groups g join ledger_entries e on e.group_id = g.id
         where g.booking_id = p.booking_id and e.account = 'artist_receivable:' || p.artist_id)
    > (select coalesce(sum(r.amount), 0) from transfer_reversals r join transfers t on t.id = r.transfer_id
        where t.payout_id = p.id and r.status <> 'succeeded' and not (t.status = 'failed' and t.attempts = 0))
union all
-- L5: what was paid outside the provider is posted so, and nothing else of payouts.
select 'L5 outside payment and posting differ', o.cause from (
  select 'transfer:' || id as cause, paid_outside_at from transfers
  union all select 'reversal:' || id, paid_outside_at from transfer_reversals) o
 where (o.paid_outside_at is not null) <> exists (
   select 1 from ledger_groups g where g.cause_key = o.cause || ':kept' and g.kind = 'outside_payment')
union all
-- L8: nothing is held for a booking that has ended, except a payment whose event is still queued.
select 'L8 held after the end', b.id::text from bookings b join ledger_entries e on e.account = 'held:' || b.id
 where b.status in ('completed', 'canceled') and not exists (select 1 from event_outbox o where o.body->>'bookingId' = b.id::text)
 group by b.id having sum(e.amount) <> 0
union all
-- L8: an artist is owed exactly what payouts have not transferred.
select 'L8 owed differs from the payouts', s.artist_id || ' ' || s.currency
  from (select substr(e.account, 16) as artist_id, e.currency, e.amount from ledger_entries e where e.account like 'artist_payable:%'
        union all
        select p.artist_id::text, p.currency, p.amount from payouts p
        union all
        select p.artist_id::text, t.currency, -t.amount from transfers t join payouts p on p.id = t.payout_id where t.status = 'succeeded') s
 group by s.artist_id, s.currency having sum(s.amount) <> 0
union all
-- L8: a payout is paid exactly when all of its transfers were made.
select 'L8 paid differs from the transfers', p.id::text from payouts p
 where (p.paid_at is not null) <> (p.planned_at is not null
   and not exists (select 1 from transfers t where t.payout_id = p.id and t.status <> 'succeeded'))
union all
-- L5: a dispute is divided exactly when its loss is posted, and never without a loss.
select 'L5 dispute and posting differ', d.id::text from disputes d
 where (d.settled_at is not null) <> exists (
         select 1 from ledger_groups g where g.cause_key = 'dispute:' || d.id || ':lost'
         union all select 1 where d.settled_at is not null and d.from_refunds = d.withdrawn)
    or (d.settled_at is not null and d.status not in ('lost', 'won'))
union all
-- L5: the shares of a dispute won by an appeal are returned exactly when that is posted.
select 'L5 returned share and posting differ', d.id::text from disputes d
 where (d.returned_at is not null) <> exists (select 1 from ledger_groups g where g.cause_key = 'dispute:' || d.id || ':returned')
    or d.returned_held > d.from_held
    or d.returned_held + d.returned_artist + d.returned_platform > d.from_held + d.from_artist + d.from_platform
union all
-- L5: refunds and disputes take no more of a charge than its amount.
select 'L5 more refunded and disputed than taken', c.provider_payment from provider_charges c
 where c.amount < (select coalesce(sum(r.amount - r.from_regained), 0) from refunds r where r.provider_payment = c.provider_payment)
   + (select coalesce(sum(d.withdrawn - d.from_refunds - d.returned_held - d.returned_artist - d.returned_platform), 0) - coalesce(sum(d.from_loss), 0)
        from disputes d where d.provider_payment = c.provider_payment and d.settled_at is not null)
union all
-- L6: disputes in flight are exactly what banks took in the disputes that are not divided.
select 'L6 disputes in flight differ', s.currency
  from (select d.currency, -sum(d.withdrawn) as amount from disputes d where d.settled_at is null group by d.currency
        union all
        select e.currency, sum(e.amount) from ledger_entries e where e.account = 'dispute_in_flight' group by e.currency) s
 group by s.currency having sum(s.amount) <> 0
union all
-- L10: a conversion by the provider is posted in both currencies.
select 'L10 conversion that is not posted', m.cause from (
  select 'charge:' || c.provider_payment as cause from provider_charges c where c.settled_currency <> c.currency
  union all select 'transfer:' || t.id from transfers t where t.status = 'succeeded' and t.settled_currency <> t.currency
  union all select 'reversal:' || r.id from transfer_reversals r where r.status = 'succeeded' and r.settled_currency <> r.currency) m
 where not exists (select 1 from ledger_groups g where g.cause_key = m.cause || ':converted')
union all
-- L10: no more of a charge is transferred than the provider's account received.
select 'L10 more transferred than received', c.provider_payment from provider_charges c
 where c.settled_amount < (
   select coalesce(sum(t.settled_amount), 0) - coalesce((
     select sum(r.settled_amount) from transfer_reversals r join transfers x on x.id = r.transfer_id
      where x.provider_payment = c.provider_payment and r.status = 'succeeded'), 0)
     from transfers t where t.provider_payment = c.provider_payment and t.status = 'succeeded')
union all
-- L11: the sums of each day are those of its entries, except of postings that are still queued.
select 'L11 sums of a day differ', s.day || ' ' || s.kind || ' ' || s.account || ' ' || s.currency
  from (select day, kind, account, payment_kind, currency, amount from ledger_daily_sums
        union all
        select (g.posted_at at time zone 'UTC')::date, g.kind, split_part(e.account, ':', 1), coalesce(p.kind, 'none'), e.currency, -e.amount
          from ledger_groups g join ledger_entries e on e.group_id = g.id left join payments p on p.id = g.payment_id
         where not exists (select 1 from ledger_unsummed u where u.group_id = g.id)) s
 group by s.day, s.kind, s.account, s.payment_kind, s.currency having sum(s.amount) <> 0
