-- The events of the signing services become rows of provider_events. Processed ones no longer change, so nothing is locked.
insert into provider_events
  (id, source, provider, type, object_id, payload, received_at, processed_at, attempts, last_error, dead_at, next_try_at)
select id, 'signing', provider, type, ref,
  jsonb_build_object('id', id, 'type', type, 'objectId', ref, 'externalId', external_id),
  received_at, processed_at, attempts, last_error, dead_at, next_try_at
from esign_events where processed_at is not null
on conflict (id) do nothing;
