-- The profile counts the artist's newest answers to requests.
create index bookings_answers on bookings (artist_id, answer_due_at desc) where answer_due_at is not null;
