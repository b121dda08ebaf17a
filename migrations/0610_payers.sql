-- Who pays a booking's payment for somebody else and wants the receipt. Given with the payment link, before paying.
create table payment_payers (
  payment_id uuid primary key references payments (id) on delete cascade,
  name       text not null,
  email      text not null,
  company    text not null default '',
  tax_id     text not null default '',
  created_at timestamptz not null default installation_now()
);
