-- The events between modules get the name of the pattern; messages to people have tables of their own.
alter table outbox rename to event_outbox;
alter index outbox_waiting rename to event_outbox_waiting;
alter index outbox_pkey rename to event_outbox_pkey;
alter sequence outbox_id_seq rename to event_outbox_id_seq;
