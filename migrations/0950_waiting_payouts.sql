-- When the artist was notified that a due payout waits for the payment account. Each payout is notified once.
alter table payouts add column wait_notified_at timestamptz;
