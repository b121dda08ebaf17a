-- The standard names: the state of a payment's checkout, the markers of what is seeded once, an unapplied payment.
alter table payments rename column intent to checkout_state;
alter table payments rename constraint payments_intent_check to payments_checkout_state_check;
alter table marks rename to seed_markers;
alter index marks_pkey rename to seed_markers_pkey;
update messages set adapter = 'dev-mailbox' where adapter = 'outbox';

-- Events that wait while the server is upgraded keep their handler. The table has one name or the other, as far as the migrations before have come.
do $$
begin
  if to_regclass('event_outbox') is not null then
    update event_outbox set topic = 'payment.unapplied' where topic = 'money.put_aside';
  else
    update outbox set topic = 'payment.unapplied' where topic = 'money.put_aside';
  end if;
end $$;
