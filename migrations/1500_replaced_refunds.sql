-- Of a failed refund that a refund from the provider's dashboard replaced, nothing is left.
alter table refunds drop constraint refunds_amount_check;
alter table refunds add constraint refunds_amount_check check (amount >= 0);
