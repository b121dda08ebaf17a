-- The overview and the metrics list failed events. Processed ones stay in the table.
create index provider_events_dead on provider_events (dead_at) where dead_at is not null;
