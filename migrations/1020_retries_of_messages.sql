-- Messages are retried for three days after the first attempt. One with a code or link is not sent after `expires_at`.
alter table messages add column retry_until timestamptz;
alter table messages add column expires_at timestamptz;
update messages set expires_at = created_at + interval '1 hour'
 where status = 'waiting' and template in ('one_time_code', 'reauthentication', 'contract_code');
