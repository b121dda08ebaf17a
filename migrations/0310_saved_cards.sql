-- The balance can be charged to the card that paid the deposit: what the promoter agreed to, the card as the provider keeps it, and the
-- charges themselves, which are payments of another way than a checkout.
alter table payments
  add column way              text not null default 'checkout' check (way in ('checkout', 'saved_card')),
  add column save_card_notice text,
  add column decline_code     text,
  add column attempts         integer not null default 0,
  add column next_try_at      timestamptz;
comment on column payments.way is 'checkout: the payer enters a card at the provider. saved_card: we charge the kept card while they are away';
comment on column payments.save_card_notice is 'What the payer agreed to, also shown on the provider''s page; null: the card is not kept';
create index payments_charges on payments (next_try_at) where way = 'saved_card' and checkout_state = 'reserved';

-- A card that the provider keeps for one booking. Brand, last four digits and expiry are all that is stored here.
create table saved_cards (
  method          text primary key,
  customer        text not null,
  booking_id      uuid not null,
  payment_id      uuid not null references payments,
  brand           text not null,
  last4           text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month       integer not null check (exp_month between 1 and 12),
  exp_year        integer not null,
  saved_at        timestamptz not null,
  remove_asked_at timestamptz,
  removed_at      timestamptz,
  attempts        integer not null default 0,
  next_try_at     timestamptz,
  last_error      text
);
comment on column saved_cards.remove_asked_at is 'From then on it is charged no more; removed_at: the provider has confirmed';
create unique index saved_cards_one_live on saved_cards (booking_id) where remove_asked_at is null;
create index saved_cards_to_remove on saved_cards (next_try_at) where remove_asked_at is not null and removed_at is null;

-- The promoter's consent to the automatic charge of the balance, word for word. It is never changed, only withdrawn.
create table balance_consents (
  id           uuid primary key default gen_random_uuid(),
  booking_id   uuid not null references bookings (id) on delete cascade,
  text         text not null,
  text_version integer not null,
  amount_cents integer not null check (amount_cents > 0),
  currency     text not null,
  due_day      date,
  given_at     timestamptz not null,
  address      text not null,
  user_agent   text not null,
  withdrawn_at timestamptz,
  withdrawn_by text check (withdrawn_by in ('promoter', 'form', 'end')),
  charge_id    uuid references payments,
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
comment on column balance_consents.due_day is 'The day that was named, in the zone of the event; null: as soon as both have signed';
comment on column balance_consents.withdrawn_by is 'promoter: by the button; form: the same request was sent again without it; end: paid or canceled, it has no purpose any more';
comment on column balance_consents.charge_id is 'The one automatic charge that was made by this consent';
create unique index balance_consents_one on balance_consents (booking_id) where withdrawn_at is null;
