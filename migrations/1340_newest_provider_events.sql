-- The last deliveries on the admin's page of integrations, as esign_events_newest.
create index provider_events_newest on provider_events (received_at desc, id desc);
