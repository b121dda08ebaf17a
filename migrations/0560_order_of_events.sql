-- Events are handled by urgency, and those of one booking in their order (platform/store.ts, takeNext).
create index event_outbox_by_booking on event_outbox ((body ->> 'bookingId'), id) where dead_at is null;
create index event_outbox_by_topic on event_outbox (topic, available_at, id) where dead_at is null;
