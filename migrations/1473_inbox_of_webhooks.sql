-- The few events that 1472 left, so the lock is short.
lock table esign_events in exclusive mode;
insert into provider_events
  (id, source, provider, type, object_id, payload, received_at, processed_at, attempts, last_error, dead_at, next_try_at)
select id, 'signing', provider, type, ref,
  jsonb_build_object('id', id, 'type', type, 'objectId', ref, 'externalId', external_id),
  received_at, processed_at, attempts, last_error, dead_at, next_try_at
from esign_events e where not exists (select 1 from provider_events p where p.id = e.id);
drop table esign_events;
