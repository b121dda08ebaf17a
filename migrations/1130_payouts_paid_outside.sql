-- A part of a payout that an admin paid outside the payment provider, and a part that the artist paid back there (decision 201).
alter table transfers add column paid_outside_at timestamptz;
alter table transfer_reversals add column paid_outside_at timestamptz;
