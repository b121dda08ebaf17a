-- Artists of users who got another role before that made them inactive.
update artists set is_active = false, inactive_by_suspension = true
  where is_active and user_id in (select user_id from profiles where role <> 'artist');
