-- What an administrator has changed about an email: switched off, or a subject and text per reader. No row means the text of the product.
-- `texts` is {"promoter": {"subject", "text"}, "artist": {…}}; a reader without an entry gets the text of the product.
create table email_templates (
  template   text primary key,
  active     boolean not null default true,
  texts      jsonb not null default '{}',
  version    integer not null default 0,
  updated_by uuid references users on delete set null,
  updated_at timestamptz not null default now()
);
create index email_templates_updated_by on email_templates (updated_by);
