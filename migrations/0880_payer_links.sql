-- A payer's link has no end of its own: it works while its booking still accepts the balance.
alter table pay_links alter column expires_at drop not null;
update pay_links set expires_at = null where balance_only;
