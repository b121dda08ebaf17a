-- A payout that can never be planned as it stands waits for a person, and no longer in the way of the others.
alter table payouts add column stuck_at timestamptz, add column stuck_reason text, add check ((stuck_at is null) = (stuck_reason is null));
drop index payouts_due;
create index payouts_due on payouts (due_at) where planned_at is null and stuck_at is null;
