-- The artist's account at the payment provider: how it was asked for, where it pays out to, and until when payouts wait after that changed.
alter table artist_connect
  add column bank         text,                            -- fingerprint of the bank account it pays out to, as the provider names it
  add column frozen_until timestamptz,                     -- payouts wait until then: the bank account was changed
  add column asked_at     timestamptz,                     -- when the provider was first asked for an account
  add column look_up      boolean not null default false;  -- the last answer was a 5xx: look before asking again
