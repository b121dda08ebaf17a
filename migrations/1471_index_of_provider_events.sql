-- The last deliveries of a source, instead of those of all.
create index provider_events_newest_of_source on provider_events (source, received_at desc, id desc);
drop index provider_events_newest;
