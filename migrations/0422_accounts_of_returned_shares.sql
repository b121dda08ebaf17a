-- A share that is given back goes to the account that the payout went to (decision 301). Those that were not sent yet had none noted.
update transfers t set destination = s.destination
  from (select payout_id, min(destination) as destination from transfers
         where returned_dispute_id is null and destination is not null group by payout_id) s
 where s.payout_id = t.payout_id and t.returned_dispute_id is not null
   and t.destination is null and t.status = 'requested';
