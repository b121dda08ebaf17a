-- One-time tokens of the console: whoever reads them on the machine may make the first admin.
create table console_tokens (
  hash       bytea primary key,
  purpose    text not null check (purpose in ('first_admin')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  used_by    uuid references users on delete set null
);

-- The admins' list is searched by name and address.
create index profiles_search on profiles using gin ((lower(name) || ' ' || lower(email)) gin_trgm_ops);
