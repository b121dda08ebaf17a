-- A reversal in the provider's dashboard can be less than one minor unit of the booking's currency.
alter table transfer_reversals drop constraint transfer_reversals_amount_check;
alter table transfer_reversals add constraint transfer_reversals_amount_check check (amount >= 0);
