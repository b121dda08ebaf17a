-- Addresses that emails cannot be sent to, from accounts of organizations and of a hosted service. They count as
-- unverified: their accounts can change the address without a link to it.
update users set email_confirmed_at = null
 where deleted_at is null and email_confirmed_at is not null
   and email !~* '^[a-z0-9_!#$%&''*+/=?^`{|}~-]+(\.[a-z0-9_!#$%&''*+/=?^`{|}~-]+)*@([a-z0-9][a-z0-9-]*\.)+([a-z]{2,}|xn--[a-z0-9-]+)$';
