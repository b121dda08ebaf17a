-- A payment account belongs to the person who opened it, not to the profile: whoever is given the profile gets no access to it, and
-- no payout goes there any more.
alter table artist_connect add column user_id uuid references users on delete set null;
update artist_connect c set user_id = a.user_id from artists a where a.id = c.artist_id;
create index artist_connect_user on artist_connect (user_id);

-- The accounts that payouts went to before: of a former owner, or gone or rejected at the provider. Nothing is sent there.
create table former_payment_accounts (
  provider_account  text primary key,
  artist_id         uuid not null references artists on delete cascade,
  user_id           uuid references users on delete set null,
  onboarding_status text not null,
  why               text not null check (why in ('other_owner', 'gone', 'rejected')),
  ended_at          timestamptz not null
);
create index former_payment_accounts_artist on former_payment_accounts (artist_id);
create index former_payment_accounts_user on former_payment_accounts (user_id);
