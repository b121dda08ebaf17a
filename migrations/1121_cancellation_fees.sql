-- What the terms of a cancellation let the artist keep at most, before the commission. Money that an appeal wins back later is divided by it.
alter table bookings add column cancellation_fee_cents int;
update bookings b set cancellation_fee_cents = case
    when (b.canceled_by = 'promoter' and b.cancel_code not like 'contract%' or b.cancel_code = 'balance_unpaid')
      and not exists (select 1 from refunds r where r.cause_key like 'cancel:' || b.id || ':%') then b.fee_cents
    else 0 end
 where b.status = 'canceled';
