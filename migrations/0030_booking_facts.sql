-- The facts a booking's status is derived from, each with its cause, so that hearing one twice changes nothing.
alter table bookings
  add column deposit_payment_id uuid unique,
  add column balance_payment_id uuid unique,
  add column balance_paid_at    timestamptz,
  add column completed_at       timestamptz,
  add constraint bookings_deposit_fact check ((deposit_paid_at is null) = (deposit_payment_id is null)),
  add constraint bookings_balance_fact check ((balance_paid_at is null) = (balance_payment_id is null));
create index bookings_status_newest on bookings (status, created_at desc, id desc);
-- Requests of an address that has no account yet; they are attached once that mailbox is verified.
drop index bookings_promoter_email;
create index bookings_unattached on bookings (lower(promoter_email)) where promoter_user_id is null;

-- Who tried too often is asked of these three; each is looked up by one key.
create index past_holds_browser on past_holds (holder_browser, artist_id, event_date);
