-- The currency that the rates of an artist are in. After a change of the platform's currency an artist cannot be booked until the
-- rates are confirmed in the new one.
create function platform_currency() returns text language sql stable as
$$ select coalesce((select value->>'currency' from settings where scope = 'platform' limit 1), 'usd') $$;
alter table artists add column price_currency text not null default 'usd';
update artists set price_currency = platform_currency() where price_currency <> platform_currency();
alter table artists alter column price_currency set default platform_currency();
