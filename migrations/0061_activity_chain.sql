-- The log of what happened only grows. Its entries are linked afterwards, in the order of their position, each hash over the one
-- before it: linking them in the transaction that writes them would make all writers of the product wait for one another.
alter table activity add column position bigint generated always as identity;
create unique index activity_position on activity (position);

create function activity_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the table % is append-only', tg_table_name using errcode = '42501';
end $$;
create trigger activity_append_only before update or delete on activity for each row execute function activity_is_append_only();
create trigger activity_kept before truncate on activity for each statement execute function activity_is_append_only();

create table activity_chain (
  number      bigint primary key check (number > 0),
  position    bigint not null unique,
  activity_id uuid not null unique,
  hash        bytea not null check (octet_length(hash) = 32)
);
create trigger activity_chain_append_only before update or delete on activity_chain for each row execute function activity_is_append_only();
create trigger activity_chain_kept before truncate on activity_chain for each statement execute function activity_is_append_only();

-- Every column of an entry goes into its hash, in one form whatever the session's zone and settings are.
create function activity_hash(previous bytea, entry activity) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    entry.position, entry.id, entry.type, entry.ref_id, entry.message, entry.meta, entry.actor_id,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')
  )::text, 'UTF8'))
$$;

-- Links up to `most` entries and returns how many there were. An entry whose transaction took longer than that of a later one is
-- linked after it; ten thousand positions back is farther than any transaction of ours stays open.
create function link_activity(most int) returns int language plpgsql as $$
declare
  entry activity;
  last_number bigint;
  last_hash bytea;
  linked int := 0;
begin
  perform pg_advisory_xact_lock(726173, 61);
  select number, hash into last_number, last_hash from activity_chain order by number desc limit 1;
  for entry in
    select a.* from activity a
    where a.position > coalesce((select max(c.position) from activity_chain c), 0) - 10000
      and not exists (select 1 from activity_chain c where c.position = a.position)
    order by a.position limit most
  loop
    last_number := coalesce(last_number, 0) + 1;
    last_hash := activity_hash(coalesce(last_hash, ''::bytea), entry);
    insert into activity_chain (number, position, activity_id, hash) values (last_number, entry.position, entry.id, last_hash);
    linked := linked + 1;
  end loop;
  return linked;
end $$;
