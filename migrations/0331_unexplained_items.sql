-- What provider and ledger say differently and nothing explains: each stays until a later comparison finds it healed, or an admin has
-- booked the payment, sent it back, or said what it is.
create table unexplained_items (
  id            uuid primary key default gen_random_uuid(),
  kind          text not null check (kind in ('payment', 'money', 'transfer', 'reversal', 'dispute', 'suspense')),
  what          text not null,                       -- in words, for admins
  ref           text not null,                       -- the provider's reference, or our id where the provider has none
  amount        bigint check (amount > 0),
  currency      text check (currency ~ '^[a-z]{3}$'),
  occurred_at   timestamptz not null,                -- of the payment or transfer; comparisons look back for a while only
  first_seen_at timestamptz not null,
  resolved_at   timestamptz,
  resolution    text check (resolution in ('healed', 'applied', 'returned', 'explained')),
  resolved_by   uuid,                                -- the admin; null: healed by itself
  reason        text,                                -- what the admin wrote
  booking_id    uuid,                                -- the booking that the payment was booked to
  unique (ref, what),
  check ((resolved_at is null) = (resolution is null)),
  check ((amount is null) = (currency is null)),
  check (kind <> 'payment' or amount is not null)
);
comment on column unexplained_items.kind is 'payment: the provider took money that nobody asked for here, which can be booked or sent back; money: of a payment of ours; the others by what differs';
create index unexplained_items_open on unexplained_items (first_seen_at) where resolved_at is null;
