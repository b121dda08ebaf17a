-- A session that becomes stronger starts a new line of refresh tokens. Tokens of the line before keep the level they were made
-- with, and the stronger level is carried by the new line alone.
alter table refresh_tokens
  add column line int not null default 1,
  add column aal text not null default 'aal1' check (aal in ('aal1', 'aal2'));

update refresh_tokens set aal = sessions.aal from sessions where sessions.id = refresh_tokens.session_id;
