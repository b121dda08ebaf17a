-- Receipts, commission invoices, payout statements and credit notes (decision 320). A document is a snapshot: it is written once, with a
-- number from its seller's row in the same transaction, so that numbers have no gaps, and it is never changed.
create table document_sellers (
  id          uuid primary key default gen_random_uuid(),
  artist_id   uuid,                                    -- null: the platform itself
  ordinal     bigint generated always as identity,
  prefix      text not null generated always as (case when artist_id is null then 'PF' else substr(booking_number(ordinal), 4) end) stored,
  last_number int not null default 0 check (last_number >= 0),
  unique nulls not distinct (artist_id),
  unique (prefix)
);

create table documents (
  id               uuid primary key default gen_random_uuid(),
  seller_id        uuid not null references document_sellers,
  sequence_number  int not null check (sequence_number > 0),
  number           text not null unique,
  kind             text not null check (kind in ('receipt','commission_invoice','payout_statement','credit_note','correction')),
  cause_key        text not null unique,               -- the posting that it documents; a payout has one for all of its transfers
  booking_id       uuid not null,
  payment_id       uuid,
  corrects_id      uuid references documents,
  seller_artist_id uuid,                               -- null: the platform
  buyer_artist_id  uuid,                               -- null: the promoter
  buyer_email      text,                               -- the promoter's, as it was
  currency         text not null check (currency ~ '^[a-z]{3}$'),
  gross            int not null check (gross <> 0),    -- credit notes are negative
  tax              int not null default 0,             -- the part of gross that is tax
  tax_label        text not null default '',
  tax_bps          int not null default 0 check (tax_bps between 0 and 10000),
  details          jsonb not null,                     -- names, addresses, lines and days as they were
  occurred_at      timestamptz not null,               -- when the money moved
  issued_at        timestamptz not null,               -- when the number was given
  unique (seller_id, sequence_number),
  check (abs(tax) <= abs(gross)),
  check ((kind in ('credit_note','correction')) = (corrects_id is not null)),
  check ((kind = 'credit_note') = (gross < 0))
);
create index documents_booking on documents (booking_id, occurred_at);
create index documents_payment on documents (payment_id);
create index documents_corrected on documents (corrects_id);
create index documents_newest on documents (occurred_at desc, id desc);

-- The PDF of a document, made when it is opened for the first time.
create table document_files (
  document_id uuid primary key references documents,
  bytes       bytea not null,
  sha256      bytea not null check (length(sha256) = 32),
  pages       int not null check (pages > 0),
  created_at  timestamptz not null default installation_now()
);

create function documents_are_fixed() returns trigger language plpgsql as $$
begin
  raise exception 'a document is never changed: issue one that corrects it';
end $$;
create trigger documents_fixed before update or delete on documents for each row execute function documents_are_fixed();
create trigger documents_kept before truncate on documents for each statement execute function documents_are_fixed();
create trigger document_files_fixed before update or delete on document_files for each row execute function documents_are_fixed();
create trigger document_files_kept before truncate on document_files for each statement execute function documents_are_fixed();

-- Postings whose document is still to be issued. The trigger writes the row with the posting, so that none is forgotten after a crash.
create table documents_due (
  group_id  uuid primary key,
  posted_at timestamptz not null
);
create index documents_due_oldest on documents_due (posted_at, group_id);
create function queue_documents() returns trigger language plpgsql as $$
begin
  insert into documents_due (group_id, posted_at)
    select id, posted_at from posted where kind in ('charge','release','refund_planned','refund_settled','refund_undone','payout');
  return null;
end $$;
create trigger ledger_groups_documented after insert on ledger_groups
  referencing new table as posted for each statement execute function queue_documents();
-- What was posted before this version is documented by the job, oldest first.
insert into documents_due (group_id, posted_at)
  select id, posted_at from ledger_groups where kind in ('charge','release','refund_planned','refund_settled','refund_undone','payout');
