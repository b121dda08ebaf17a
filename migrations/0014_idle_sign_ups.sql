-- The password of the last sign-up with an address that has an account already. It opens nothing: a sign-in with it is answered
-- as that of a new account which waits for its confirmation, so that nobody learns from it who has an account.
alter table users add column idle_sign_up_hash text;
