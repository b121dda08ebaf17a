-- Each signing service has a key of its own. The one that was stored belongs to the service that the settings name; where contracts are signed on
-- this server, to the service that a contract was sent to last, else to DocuSeal.
update settings
set value = (value - 'esignApiKeySealed') || jsonb_build_object(
  case
    when value ->> 'esignProvider' in ('docuseal', 'docusign') then value ->> 'esignProvider'
    else coalesce(
      (select provider from contracts where provider in ('docuseal', 'docusign')
        order by provider_asked_at desc nulls last limit 1),
      'docuseal')
  end || 'ApiKeySealed',
  value -> 'esignApiKeySealed')
where scope = 'platform' and value ? 'esignApiKeySealed';
