-- The browser that sent a request keeps its own key after the mailbox is verified in another browser.
alter table bookings add column verified_key_hash bytea;
update bookings set verified_key_hash = access_key_hash where email_proven_at is not null;

-- A payment link pays one kind of payment, opens nothing else, and works until the payment is no longer due.
alter table pay_links add column kind text;
update pay_links
set kind = case when pay_links.balance_only or b.deposit_paid_at <= pay_links.created_at then 'balance' else 'deposit' end
from bookings b
where b.id = pay_links.booking_id;
alter table pay_links
  alter column kind set not null,
  add constraint pay_links_kind check (kind in ('deposit', 'balance')),
  drop column balance_only,
  drop column used_at,
  drop column expires_at;
