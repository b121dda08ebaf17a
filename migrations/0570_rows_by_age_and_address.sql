-- The nightly retention and the deletion of an account look rows up by age and by address.
create index messages_by_age on messages (created_at);
create index messages_by_reference on messages (ref_id);
create index past_holds_by_end on past_holds (ended_at) where held_by_browser is not null or held_by_address is not null or held_by_email is not null;
create index contact_messages_by_age on contact_messages (created_at);
