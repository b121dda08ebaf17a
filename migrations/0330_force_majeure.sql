-- One party proposes that a booking ends because of an event outside the control of both, and how what was paid is divided; it ends so
-- when the other accepts. At most one proposal of a booking is open.
create table force_majeure_proposals (
  id              uuid primary key default gen_random_uuid(),
  booking_id      uuid not null references bookings on delete cascade,
  proposed_by     text not null check (proposed_by in ('promoter', 'artist')),
  reason          text not null,
  paid_cents      int not null check (paid_cents > 0),       -- what was held when it was made
  refund_cents    int not null check (refund_cents between 0 and paid_cents),
  everything_back boolean not null,                          -- whatever is held when it is accepted goes back
  proposed_at     timestamptz not null,
  expires_at       timestamptz not null,
  closed_at       timestamptz,
  outcome         text check (outcome in ('accepted', 'refused', 'withdrawn', 'expired', 'overtaken')),
  check ((closed_at is null) = (outcome is null)),
  check (not everything_back or refund_cents = paid_cents)
);
create unique index force_majeure_proposals_open on force_majeure_proposals (booking_id) where closed_at is null;
create index force_majeure_proposals_booking on force_majeure_proposals (booking_id, proposed_at);
create index force_majeure_proposals_expire on force_majeure_proposals (expires_at) where closed_at is null;

-- A booking that ends by the agreement of both is canceled by both, and by nobody else for that reason.
alter table bookings drop constraint bookings_canceled_by_check;
alter table bookings add constraint bookings_canceled_by_check
  check (canceled_by in ('promoter', 'artist', 'admin', 'system', 'both'));
alter table bookings drop constraint bookings_cancel_code;
alter table bookings add constraint bookings_cancel_code check (cancel_code in (
  'date_lost', 'expired', 'money_returned', 'contract_declined', 'contract_expired', 'balance_unpaid', 'replaced',
  'plans_changed', 'date_changed', 'cannot_perform', 'terms_broken', 'force_majeure', 'other'));
alter table bookings add constraint bookings_force_majeure_by_both
  check ((canceled_by = 'both') = (cancel_code = 'force_majeure'));

-- The agreement that ships with the product says what the booking page does. An installation that has written its own text keeps it.
insert into contract_templates (id, version, title, sections, saved_by, saved_at)
select t.id, 2, t.title, (
  select jsonb_agg(case when s.value->>'heading' = 'Force majeure' then jsonb_build_object('heading', 'Force majeure', 'clauses', jsonb_build_array(
    s.value->'clauses'->0,
    jsonb_build_object('text', 'Each party can then propose on the page of the booking that it ends: with every payment going back to the promoter, or with a division of what was paid. If the other party accepts within 72 hours and before the performance would begin, the booking ends so. Without such an agreement the terms on cancellation above apply.')))
    else s.value end order by s.ordinality)
  from jsonb_array_elements(t.sections) with ordinality s), null, now()
from contract_templates t
where t.id = 'standard' and t.version = 1
  and not exists (select 1 from contract_templates newer where newer.id = 'standard' and newer.version > 1);
