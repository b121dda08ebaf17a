-- A template may say which party signs first; null: either may. A contract keeps the order of the version that it was made from.
alter table contract_templates add column first_signer text check (first_signer in ('promoter', 'artist'));
alter table contracts add column first_signer text check (first_signer in ('promoter', 'artist'));

-- The agreement that ships with the product names the order by its variable. An installation that has written its own text keeps it.
insert into contract_templates (id, version, title, sections, saved_by, saved_at)
select t.id, 3, t.title, replace(t.sections::text, 'either may sign first', '{{signing_order}}')::jsonb, null, now()
from contract_templates t
where t.id = 'standard' and t.version = 2 and t.saved_by is null
  and not exists (select 1 from contract_templates newer where newer.id = 'standard' and newer.version > 2);
