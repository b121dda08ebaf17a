-- Sign-in with an organization's accounts (OpenID Connect). An identity is the provider's account: issuer and subject, never an address.
create table identities (
  issuer        text not null,
  subject       text not null,
  user_id       uuid not null references users on delete cascade,
  -- The provider's role claim named this account an admin at the last sign-in.
  admin_claimed boolean not null default false,
  -- The role before the claim made the account an admin; null while the claim gave nothing.
  role_before   text check (role_before in ('artist', 'promoter')),
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  -- The owner of the account reported that the connection is not theirs: it signs nobody in any more.
  refused_at    timestamptz,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

alter table account_changes drop constraint account_changes_kind_check;
alter table account_changes add constraint account_changes_kind_check
  check (kind in ('password', 'email', 'phone', 'factor_added', 'factor_removed', 'recovery_codes', 'identity_added'));
