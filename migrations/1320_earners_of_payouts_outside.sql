-- Who earned what was paid outside the provider, because the profile can have another owner later (decision 201).
alter table transfers add column earner_id uuid references users on delete set null;
-- Before this version: the owner of the payment account, or of the profile unless it has had another owner since.
update transfers t set earner_id = (
  select case when f.provider_account is not null then f.user_id when c.artist_id is not null then c.user_id else a.user_id end
    from payouts p join artists a on a.id = p.artist_id left join artist_connect c on c.artist_id = a.id
      left join former_payment_accounts f on f.artist_id = a.id and f.provider_account = t.destination
   where p.id = t.payout_id)
 where t.paid_outside_at is not null and (t.destination is not null or not exists (
   select 1 from payouts p join profile_claims k on k.artist_id = p.artist_id
    where p.id = t.payout_id and k.granted and k.decided_at >= t.paid_outside_at));
