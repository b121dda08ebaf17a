-- A posting whose document refers to one that is not issued yet waits behind all others, so that a few of them never hold up the queue.
alter table documents_due add column waited_at timestamptz;
drop index documents_due_oldest;
create index documents_due_oldest on documents_due (waited_at nulls first, posted_at, group_id);
