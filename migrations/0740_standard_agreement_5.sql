-- Version 5 of the agreement that ships with the product: the amounts are a list with a sum. An agreement that an admin has edited stays as it is.
insert into contract_templates (id, version, title, sections, first_signer, saved_by, saved_at)
select t.id, 5, t.title,
  jsonb_set(t.sections, '{2,clauses}', (
    select jsonb_build_array(
      jsonb_build_object('text', '{{amounts}}'),
      jsonb_build_object('text', 'The promoter pays the fee and nothing on top of it.'),
      jsonb_build_object(
        'text', 'The balance is due on the day named above, or as soon as both parties have signed when that day has passed.',
        'when', 'has_balance'),
      t.sections #> '{2,clauses,3}'))),
  t.first_signer, null, installation_now()
from contract_templates t
where t.id = 'standard' and t.version = 4 and t.saved_by is null
  and t.sections #>> '{2,heading}' = 'The fee' and jsonb_array_length(t.sections #> '{2,clauses}') = 4
  and not exists (select 1 from contract_templates newer where newer.id = 'standard' and newer.version > 4);
