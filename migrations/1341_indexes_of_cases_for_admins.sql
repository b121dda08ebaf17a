-- The cases that every open page of an admin counts are few among very many rows.
create index transfers_failed on transfers (updated_at) where status = 'failed';
create index payouts_stuck on payouts (stuck_at) where stuck_at is not null;
create index messages_failed on messages (created_at) where status = 'failed';
create index payments_declined on payments ((coalesce(payment_date, created_at)) desc, id desc)
  where decline_code is not null and payment_date is null;
