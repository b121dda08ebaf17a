-- A payment that carries our mark but has no row here, as after the restore of an older dump: what its metadata says, for the admin who decides.
alter table unexplained_items
  add column payment_id        uuid,   -- the id that the payment's row had; not null: such an item is closed by an admin only
  add column marked_booking_id uuid,   -- the booking that the metadata names
  add column booking_number    text,
  add column payment_kind      text check (payment_kind in ('deposit', 'balance')),
  add column payer_name        text,
  add column payer_email       text;
create index unexplained_items_lost on unexplained_items (marked_booking_id) where resolved_at is null;
