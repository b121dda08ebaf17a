-- Version 4 of the agreement that ships with the product: the parties with legal name, address and contact, and each paragraph of the promoter's
-- special requests is marked as theirs. An agreement that an admin has edited stays as it is.
insert into contract_templates (id, version, title, sections, first_signer, saved_by, saved_at)
select t.id, 4, t.title,
  replace(replace(replace(t.sections::text,
    '{{promoter_name}} ({{promoter_email}}, {{promoter_phone}}) is the promoter.', 'The promoter is {{promoter_party}}.'),
    '{{artist_name}} is the artist.', 'The artist is {{artist_party}}.'),
    'The promoter asks for the following. It is part of this agreement:',
    'The promoter asks for the following. It is part of this agreement, and each paragraph of it begins with “>”:')::jsonb,
  t.first_signer, null, installation_now()
from contract_templates t
where t.id = 'standard' and t.version = 3 and t.saved_by is null
  and not exists (select 1 from contract_templates newer where newer.id = 'standard' and newer.version > 3);
