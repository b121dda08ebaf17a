-- Steps of a balance whose signature on paper was withdrawn later. The next signature begins with the same steps.
alter table balance_steps add column withdrawn_at timestamptz;
alter table balance_steps drop constraint balance_steps_pkey;
create unique index balance_steps_once on balance_steps (booking_id, round, step) where withdrawn_at is null;
create index balance_steps_booking on balance_steps (booking_id);
update balance_steps s set withdrawn_at = w.at
from (
  select c.booking_id, max((e.entry::jsonb ->> 'at')::timestamptz) as at
  from contract_events e join contracts c on c.id = e.contract_id
  where e.entry::jsonb ->> 'kind' = 'objection_decided' and e.entry::jsonb -> 'details' ->> 'decision' = 'annulled'
  group by 1
) w
where w.booking_id = s.booking_id and s.at < w.at and s.step <> 'link_created';
