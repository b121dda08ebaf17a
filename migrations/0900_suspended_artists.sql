-- True while the artist is inactive only because its owner is suspended. The end of the suspension makes it active again.
alter table artists add column inactive_by_suspension boolean not null default false;
update artists set is_active = false, inactive_by_suspension = true
  where is_active and user_id in (select id from users where banned_until > now());
