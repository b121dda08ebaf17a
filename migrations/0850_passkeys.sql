-- Passkeys (WebAuthn). A passkey is a second factor like an authenticator app, and signs in alone as well, because its device verifies the person.
-- Of a passkey, secret holds the public key and the transports (encrypted JSON), and last_step the signature counter.
alter table factors
  add column kind text not null default 'totp' check (kind in ('totp', 'passkey')),
  -- The authenticator's id of the passkey in base64url; no two accounts have the same.
  add column credential_id text unique,
  add column last_used_at timestamptz,
  add constraint factors_passkey check ((kind = 'passkey') = (credential_id is not null));

-- What an authenticator is asked to sign: once, within five minutes, for one purpose, by the browser or session that asked.
create table passkey_challenges (
  id           uuid primary key default gen_random_uuid(),
  purpose      text not null check (purpose in ('register', 'sign_in', 'second_factor')),
  challenge    text not null,
  session_id   uuid references sessions on delete cascade,
  -- Before there is a session: the hash of the browser's cookie.
  browser_hash bytea,
  expires_at   timestamptz not null,
  check ((session_id is null) = (browser_hash is not null)),
  check ((purpose = 'sign_in') = (browser_hash is not null))
);
create index passkey_challenges_session on passkey_challenges (session_id);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
