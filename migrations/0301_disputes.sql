-- Chargebacks: what a payer's bank asks back of a charge, as the payment provider reports it.
create table disputes (
  id               uuid primary key default gen_random_uuid(),
  provider_ref     text not null unique,
  provider_payment text not null references provider_charges,
  payment_id       uuid references payments,              -- null: the charge was not kept
  booking_id       uuid,
  amount           int not null check (amount > 0),
  currency         text not null check (currency ~ '^[a-z]{3}$'),
  reason           text not null,
  status           text not null,                         -- in the provider's words
  evidence_due_at  timestamptz,
  submissions      int not null default 0,                -- how often evidence was sent, as the provider counts it
  withdrawn        int not null default 0 check (withdrawn >= 0),     -- what the bank has of it now
  settled_at       timestamptz,                           -- when the loss was divided; from then on these say who bore it
  from_refunds     int not null default 0,                -- refunds of this charge that the payer got in this way
  from_held        int not null default 0,
  from_artist      int not null default 0,
  from_platform    int not null default 0,                -- the platform's share of the release
  from_loss        int not null default 0,                -- what nobody else bears
  opened_at        timestamptz not null,
  closed_at        timestamptz,
  created_at       timestamptz not null default installation_now(),
  updated_at       timestamptz not null default installation_now(),
  check (settled_at is null or from_refunds + from_held + from_artist + from_platform + from_loss = withdrawn)
);
create index disputes_booking on disputes (booking_id);
create index disputes_open on disputes (evidence_due_at) where closed_at is null;
create index disputes_charge on disputes (provider_payment);
create index disputes_payment on disputes (payment_id);

-- The answer to a dispute, as an admin has sent it: it can be sent once, so it is kept as it was.
create table dispute_evidence (
  id           uuid primary key default gen_random_uuid(),    -- also the provider's idempotency key
  dispute_id   uuid not null unique references disputes,
  requested_by uuid references users on delete set null,
  texts        jsonb not null,                                -- by the provider's names
  status       text not null default 'requested' check (status in ('requested','submitted','succeeded','failed')),
  attempts     int not null default 0,
  asked_at     timestamptz,
  look_up      boolean not null default false,
  last_error   text,
  next_try_at  timestamptz not null default installation_now(),
  sent_at      timestamptz,
  created_at   timestamptz not null default installation_now(),
  updated_at   timestamptz not null default installation_now()
);
create index dispute_evidence_waiting on dispute_evidence (next_try_at) where status in ('requested','submitted');
create index dispute_evidence_by on dispute_evidence (requested_by);

create table dispute_files (
  id            uuid primary key default gen_random_uuid(),   -- also the provider's idempotency key
  evidence_id   uuid not null references dispute_evidence on delete cascade,
  field         text not null,
  name          text not null,
  media_type    text not null,
  bytes         bytea not null,
  provider_file text,
  unique (evidence_id, field)
);

-- Notices of disputes that no earlier version could answer are answered now.
update provider_events set dead_at = null, attempts = 0, next_try_at = installation_now()
 where type like 'charge.dispute.%' and processed_at is null;
