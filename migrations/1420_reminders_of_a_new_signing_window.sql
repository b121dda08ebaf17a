-- From when the reminders of a signature count. Null: from when the contract was sent.
alter table contracts add column reminders_from timestamptz;
-- A withdrawn signature on paper opens a new window, which had no reminders. Those that are already due are not sent together.
update contracts c set reminders_from = w.at,
  reminders = case when w.at <= now() - interval '72 hours' then 2 when w.at <= now() - interval '24 hours' then 1 else 0 end
from (
  select contract_id, max((entry::jsonb ->> 'at')::timestamptz) as at
  from contract_events
  where entry::jsonb ->> 'kind' = 'objection_decided' and entry::jsonb -> 'details' ->> 'decision' = 'annulled'
  group by 1
) w
where w.contract_id = c.id and c.signed_status = 'sent';
